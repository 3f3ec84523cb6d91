/** A page that bundles nothing: the whole file at once still gives its element a type. */
import 'whatsapp-operadores/standalone';

await document.querySelector('whatsapp-operadores')?.refresh();

// @ts-expect-error: it exports nothing at run time, so nothing can be called or extended
new (await import('whatsapp-operadores/standalone')).WhatsappOperadoresElement();
