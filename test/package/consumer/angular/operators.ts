/** An Angular application. Compiled only, against the packed package and Angular's own types. */
import { Component, signal } from '@angular/core';
import {
  version,
  WhatsappOperadoresDirective,
  type WhatsappOperadoresElement,
} from 'whatsapp-operadores/angular';

@Component({
  selector: 'app-operators',
  imports: [WhatsappOperadoresDirective],
  template: `
    <button (click)="refresh(panel)">{{ version }}: {{ total() }} sesiones</button>
    <whatsapp-operadores
      #panel
      class="panel"
      api-base="/api"
      notification-timeout="0"
      readonly
      provider="Empresa"
      [view]="view"
      [connectionNotice]="false"
      [token]="token"
      [labels]="{ '5491155550001': { label: 'Ventas', group: 'Norte' } }"
      (wo-sessions)="total.set($event.detail.sessions.length)"
      (wo-error)="report($event.detail.error)"
    />
  `,
})
export class Operators {
  readonly version = version;
  readonly total = signal(0);
  readonly view = 'auto';
  readonly token = () => Promise.resolve('secreto');

  refresh(panel: WhatsappOperadoresElement): void {
    void panel.refresh();
  }

  report(error: Error): void {
    console.log(error.message);
  }
}
