import { Component, type ReactNode } from 'react';
import * as texts from '../texts/sentences.ts';
import type { Sentence, Translate } from '../texts/translate.ts';
import { Button } from './button.tsx';
import { icons } from './icons.tsx';

interface Props {
  /** Renders in place of children that threw; `retry` renders them again. */
  readonly fallback: (retry: () => void) => ReactNode;
  readonly onError?: (error: unknown) => void;
  /** What the children show: after a failure, something else is rendered again. */
  readonly shown?: unknown;
  readonly children: ReactNode;
}

/** Contains the failure of its children to render, which React logs. */
export class ErrorBoundary extends Component<Props, { failed: boolean; shown: unknown }> {
  override state = { failed: false, shown: this.props.shown };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ shown }: Props, before: { shown: unknown }) {
    return shown === before.shown ? null : { failed: false, shown };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback(() => this.setState({ failed: false }));
  }
}

interface FailedProps {
  readonly t: Translate;
  readonly text: Sentence;
  readonly onRetry: () => void;
}

/** Says what failed to render. */
export function Failed({ t, text, onRetry }: FailedProps) {
  return (
    <>
      {icons.act}
      <p role="alert">{t(text)}</p>
      <Button className="outlined" onClick={onRetry}>
        {t(texts.retry)}
      </Button>
    </>
  );
}
