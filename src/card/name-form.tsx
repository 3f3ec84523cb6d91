import { type ComponentProps, type FormEvent, useId, useRef, useState } from 'react';
import type { Card } from '../context/cards.ts';
import { useObservable, usePanel } from '../context/panel-context.ts';
import { reasonOf } from '../server/errors.ts';
import * as texts from '../texts/sentences.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { onEscape } from '../ui/input.ts';
import type { RecordProps } from './advice.tsx';

function begin(input: HTMLInputElement | null) {
  input?.focus();
  input?.select();
  // So that its buttons are in sight, too.
  input?.form?.scrollIntoView({ block: 'nearest' });
}

/** Changes name, group and proxy of a session: Enter keeps them, Escape leaves them as they were. */
export function NameForm({ record, titleId, editing }: RecordProps & Pick<Card, 'editing'>) {
  const { store, t, cards, may } = usePanel();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [before] = useState(record.details);
  const [busy, run, failure] = useBusy();
  const { numero } = record.session;

  const close = () => {
    // The button that opened the form.
    form.current?.closest('article')?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus();
    cards.update(numero, { editing: undefined });
  };

  const keep = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Only what has changed: another panel may have changed the other field.
    const fields = event.currentTarget.querySelectorAll<HTMLInputElement>('label:not([hidden]) input');
    const changed = [...fields]
      .filter(({ value, defaultValue }) => value.trim() !== defaultValue)
      .map(({ name, value }) => [name, value.trim()] as const);
    if (changed.length === 0) return close();
    void run(async (fail) => {
      const { error } = await store.run('rename', numero, Object.fromEntries(changed));
      if (error) fail(`${reasonOf(t, error)}.`);
      // Unless it was closed meanwhile: another one may be open.
      else if (form.current) close();
    });
  };
  const field = (name: 'label' | 'group' | 'proxy', text: string, attributes?: ComponentProps<'input'>) => (
    <label hidden={!may(name === 'proxy' ? name : 'label')}>
      {text}
      <input
        ref={name === editing ? begin : undefined}
        name={name}
        defaultValue={before[name]}
        // What is typed now would be lost when the answer closes the form.
        readOnly={busy}
        autoComplete="off"
        aria-describedby={`${titleId} ${id}failure`}
        {...attributes}
      />
    </label>
  );

  return (
    <form
      ref={form}
      className="name-form"
      // Not rendered, it would lose what was typed.
      hidden={!may('label') && !may('proxy')}
      onSubmit={keep}
      // Escape must not also close the row, or what contains the panel in the page.
      onKeyDown={(event) => onEscape(event, close)}
    >
      {field('label', t(texts.nameField))}
      {field('group', t(texts.group), { list: id })}
      <GroupOptions id={id} />
      {field('proxy', t(texts.proxy), {
        placeholder: t(texts.proxyHint),
        spellCheck: false,
        autoCapitalize: 'off',
      })}
      <Button type="submit" className="filled" aria-disabled={busy}>
        {t(texts.saveNames)}
      </Button>
      <Button onClick={close}>{t(texts.cancel)}</Button>
      {failure && (
        <p id={`${id}failure`} className="failure">
          {failure}
        </p>
      )}
    </form>
  );
}

/** The groups that there are, for a field that takes a new one too. */
export function GroupOptions({ id }: { id: string }) {
  const groups = useObservable(usePanel().store.sections);
  return (
    <datalist id={id}>
      {[...groups.values()].map(({ name }) => name && <option key={name} value={name} />)}
    </datalist>
  );
}
