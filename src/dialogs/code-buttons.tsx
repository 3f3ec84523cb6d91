import type { RefObject } from 'react';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { canCopy, copy, download, drawCode } from './code-image.ts';

interface Props {
  readonly store: Store;
  readonly numero: string;
  /** What the code is drawn in. */
  readonly picture: RefObject<HTMLElement | null>;
  readonly covered: boolean;
}

/** Take the code along to where the phone is. One that is covered is not given away. */
export function CodeButtons({ store, numero, picture, covered }: Props) {
  const button = (label: string, use: (image: HTMLCanvasElement) => void) => (
    <button
      type="button"
      className="tonal"
      aria-disabled={covered || undefined}
      onClick={() => {
        const code = picture.current?.querySelector<SVGSVGElement>('.qr svg');
        if (code) use(drawCode(code));
        else if (!covered) store.notices.add('negative', texts.undrawable, 'copy');
      }}
    >
      {label}
    </button>
  );

  return (
    <div className="code-buttons">
      {canCopy() &&
        button(texts.copyImage, (image) => {
          copy(image).then(
            () => store.notices.add('positive', texts.imageCopied, 'copy'),
            () => store.notices.add('negative', texts.imageNotCopied, 'copy'),
          );
        })}
      {button(texts.downloadImage, (image) => download(image, texts.imageName(numero)))}
    </div>
  );
}
