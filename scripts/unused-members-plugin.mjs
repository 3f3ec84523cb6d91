/**
 * For Rollup: what it keeps of packages because it cannot know that nobody uses it. What is left out too much is
 * `undefined` in the bundle: the build fails where it is imported by its name.
 */

const FILES = {
  react: '/react/cjs/react.production.js',
  'react-dom': '/react-dom/cjs/react-dom.production.js',
  'react-dom/client': '/react-dom/cjs/react-dom-client.production.js',
};

/**
 * React is CommonJS, where each export is an assignment: those that somebody imports. The others are 2.6 kB. Not needed
 * once React ships ES modules.
 */
const USED_EXPORTS = {
  [FILES.react]: [
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
    'Component',
    'Fragment',
    'cloneElement',
    'createContext',
    'createElement',
    'forwardRef',
    'isValidElement',
    'memo',
    'startTransition',
    'use',
    'useCallback',
    'useContext',
    'useEffect',
    'useId',
    'useLayoutEffect',
    'useMemo',
    'useRef',
    'useState',
    'useSyncExternalStore',
    'version',
  ],
  [FILES['react-dom']]: [
    '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
    'createPortal',
    'version',
  ],
  [FILES['react-dom/client']]: ['createRoot'],
};

/**
 * A class keeps all its methods. The panel listens and never emits: 0.6 kB. Not needed once socket.io-client offers
 * these as functions of their own.
 */
const UNUSED_METHODS = {
  '/socket.io-client/build/esm/socket.js': [
    '_addToQueue',
    '_registerAckCallback',
    'compress',
    'disconnected',
    'emit',
    'emitWithAck',
    'listenersAny',
    'listenersAnyOutgoing',
    'offAnyOutgoing',
    'onAnyOutgoing',
    'prependAny',
    'prependAnyOutgoing',
    'send',
    'timeout',
    'volatile',
  ],
};

export const unusedMembers = {
  name: 'unused-members',
  transform(code, id) {
    const used = namesFor(USED_EXPORTS, id);
    const unused = namesFor(UNUSED_METHODS, id);
    if (!used && !unused) return null;
    const { body } = this.parse(code);
    const dropped = used
      ? body.filter((statement) => isExport(statement) && !used.includes(exportedName(statement)))
      : body.flatMap(methodsOf).filter(({ key }) => unused.includes(key.name));
    return { code: without(code, dropped), map: null };
  },
  moduleParsed({ id, ast }) {
    for (const { type, source, specifiers } of ast?.body ?? []) {
      const used = type === 'ImportDeclaration' && USED_EXPORTS[FILES[source.value]];
      for (const { imported } of used ? specifiers : [])
        if (imported && !used.includes(imported.name))
          this.error(`${id} imports ${imported.name}, which is left out of ${source.value}`);
    }
  },
};

function namesFor(table, id) {
  return Object.entries(table).find(([path]) => id.endsWith(path))?.[1];
}

const isExport = ({ expression }) =>
  expression?.type === 'AssignmentExpression' && expression.left.object?.name === 'exports';

const exportedName = ({ expression }) => expression.left.property.name;

function methodsOf(statement) {
  const declared = statement.declaration ?? statement;
  return declared.type === 'ClassDeclaration' ? declared.body.body : [];
}

/** White space in their place keeps every other line and column where it was. */
function without(code, nodes) {
  let left = code;
  for (const { start, end } of nodes) {
    left = left.slice(0, start) + left.slice(start, end).replace(/\S/g, ' ') + left.slice(end);
  }
  return left;
}
