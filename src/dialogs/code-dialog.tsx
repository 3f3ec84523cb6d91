import { useId } from 'react';
import { Linking } from '../card/linking.tsx';
import * as texts from '../texts/sentences.ts';
import { Modal } from './modal.tsx';

/** Shows how to link a phone with a session, and stays open after the scan. */
export function CodeDialog({ numero }: { numero: string }) {
  return (
    <Modal title={texts.codeTitle} numero={numero} needs="codes">
      <Linking numero={numero} titleId={useId()} inDialog />
    </Modal>
  );
}
