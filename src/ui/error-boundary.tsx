import { Component, type ReactNode } from 'react';

interface Props {
  /** What stands in for children that threw while rendering; `retry` renders them again. */
  readonly fallback: (retry: () => void) => ReactNode;
  readonly onError?: (error: Error) => void;
  /** What the children are rendered from: with another one they are tried again. */
  readonly of?: string;
  readonly children: ReactNode;
}

/** Keeps a failure of its children to itself. React logs it. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  override componentDidUpdate({ of }: Props) {
    if (this.state.failed && of !== this.props.of) this.setState({ failed: false });
  }

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error instanceof Error ? error : new Error(String(error)));
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback(() => this.setState({ failed: false }));
  }
}
