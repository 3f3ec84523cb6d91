/** Each of these panels is wrong. */
import { Component } from '@angular/core';
import { WhatsappOperadoresDirective } from 'whatsapp-operadores/angular';

@Component({
  selector: 'app-wrong',
  imports: [WhatsappOperadoresDirective],
  template: `
    <!-- No such position. -->
    <whatsapp-operadores notification-position="middle" />
    <!-- A number of milliseconds. -->
    <whatsapp-operadores notification-timeout="soon" />
    <!-- On or off. -->
    <whatsapp-operadores connection-notice="no" />
    <!-- A text. -->
    <whatsapp-operadores [apiBase]="5" />
    <!-- The element has no such property. -->
    <whatsapp-operadores [apiUrl]="'/api'" />
    <!-- The detail has no such field. -->
    <whatsapp-operadores (wo-sessions)="$event.detail.session" />
  `,
})
export class Wrong {}

@Component({
  selector: 'app-without-directive',
  // Unknown without the directive.
  template: '<whatsapp-operadores />',
})
export class WithoutDirective {}
