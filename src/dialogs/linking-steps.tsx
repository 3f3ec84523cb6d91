import { texts } from '../texts.ts';

/** What to do on the phone, and what it means when that asks for more. */
export function LinkingSteps({ numero }: { numero: string }) {
  return (
    <div className="linking">
      <ol>
        {texts.linkingSteps(numero).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <details>
        <summary>{texts.passkeyTitle}</summary>
        <p>{texts.passkey}</p>
      </details>
    </div>
  );
}
