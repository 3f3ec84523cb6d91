import { Component, type ReactNode } from 'react';

interface Props {
  /** Renders in place of children that threw; `retry` renders them again. */
  readonly fallback: (retry: () => void) => ReactNode;
  readonly onError?: (error: Error) => void;
  /** What the children are rendered from: another one is tried again. */
  readonly of?: string;
  readonly children: ReactNode;
}

/** Contains the failure of its children to render, which React logs. */
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
