/** A React 19 application. Compiled only, against the packed package and React's own types. */
import { useRef } from 'react';
import {
  version,
  type WhatsappOperadoresElement,
  type WhatsappOperadoresProps,
} from 'whatsapp-operadores/react';

const settings: WhatsappOperadoresProps = { provider: 'Empresa', 'notification-timeout': 0 };

export function Sessions({ token }: { token: string }) {
  const panel = useRef<WhatsappOperadoresElement>(null);
  return (
    <main>
      <button type="button" onClick={() => panel.current?.refresh()}>
        {version}
      </button>
      <whatsapp-operadores
        {...settings}
        ref={panel}
        api-base="/api"
        socketOrigin="https://gateway.example"
        token={() => Promise.resolve(token)}
        texts={{ 'Levantar Sesión': 'Iniciar sessão' }}
        labels={{ '5491155550001': { label: 'Ventas' } }}
        className="panel"
        style={{ minHeight: 400 }}
        connection-notice
        readonly
        readOnly={true}
        onwo-session-change={(event) => {
          const numero: string = event.detail.numero;
          console.log(numero, event.currentTarget);
        }}
        onwo-error={({ detail }) => console.log(detail.error.message, detail.action)}
        onwo-connection-change={({ detail }) => console.log(detail.connected)}
        onwo-sessions={({ detail }) => console.log(detail.sessions.length)}
      />
    </main>
  );
}

export const wrong = [
  // @ts-expect-error: no such position
  <whatsapp-operadores key="1" notificationPosition="middle" />,
  // @ts-expect-error: a number of milliseconds
  <whatsapp-operadores key="2" notification-timeout="soon" />,
  // @ts-expect-error: the detail has no such field
  <whatsapp-operadores key="3" onwo-sessions={({ detail }) => detail.session} />,
  // @ts-expect-error: the element has no such property
  <whatsapp-operadores key="4" apiUrl="/api" />,
  // @ts-expect-error: a label has a numero
  <whatsapp-operadores key="6" labels={['Ventas']} />,
  // @ts-expect-error: on or off
  <whatsapp-operadores key="7" readOnly="no" />,
  // @ts-expect-error: present or absent
  <whatsapp-operadores key="5" connection-notice="sí" />,
];
