import { everyOption } from './options.ts';

/** Where the second column begins, and its lines. */
const COLUMN = 29;
const LINES = /\S.{0,83}(?= |$)/g;

const OPTION_LINES = everyOption().map(({ name, value = '', help, repeatable, default: preset }) => {
  const notes = `${repeatable ? '; repeatable' : ''}${preset === undefined ? '' : ` (default ${preset})`}`;
  const lines = `${help}${notes}`.match(LINES) ?? [];
  return `  --${name} ${value}`.padEnd(COLUMN) + lines.join(`\n${' '.repeat(COLUMN)}`);
});

/** What `--help` prints. */
export const HELP = `The gateway for <whatsapp-operadores>.

Usage: whatsapp-operadores-gateway [command] [options]

Without a command, the gateway starts. Other commands:

  backup FILE   copy the store in --data to a new file, also while a gateway is running
  restore FILE  put a backup into --data, where no store may be
  doctor        check store, permissions, versions, clock, and the way to WhatsApp; or --database, or the server of --engine
  token NAME    make a token for a user, and print the lines for the file of --access
  rekey         encrypt the sessions in --data or --database with the key of --new-key-file
  nodes         list the gateways of --database, and how many sessions each owns
  drain NODE    give the sessions of one of them, by its id or URL, to the others
  rotate        change the secret with which gateways seal what they send each other
  migrate TO    move the sessions of stopped gateways from --data to --database, or back: TO is database or data

Options, also as variables (WO_PORT for --port; several values separated by commas) and in the file of --config:

${OPTION_LINES.join('\n')}
`;
