import type { SessionRecord } from '../session/record.ts';
import { Advice } from './advice.tsx';
import { HeadButtons } from './head-buttons.tsx';
import { Picture } from './picture.tsx';
import { SelectBox } from './select-box.tsx';
import { Title } from './title.tsx';

interface Props {
  readonly record: SessionRecord;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** Picture, numero and state of a card. */
export function Head({ record, titleId }: Props) {
  const { numero } = record.session;
  const { group } = record.details;
  return (
    <>
      <div className="picture" part="picture">
        <Picture record={record} titleId={titleId} />
      </div>
      <div className="identity">
        <SelectBox numero={numero} />
        <Title record={record} id={titleId}>
          {numero}
        </Title>
        <HeadButtons numero={numero} />
        {group && <p className="group">{group}</p>}
        <Advice record={record} titleId={titleId} />
      </div>
    </>
  );
}
