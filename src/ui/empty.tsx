import type { ReactNode } from 'react';

interface Props {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly text?: string | false | undefined;
  readonly isFailure?: boolean;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** What stands where there are no sessions. */
export function Empty({ icon, title, text, isFailure, children }: Props) {
  return (
    <div className={isFailure ? 'empty failure' : 'empty'}>
      {icon}
      <p>{title}</p>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}
