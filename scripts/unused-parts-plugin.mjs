import replace from '@rollup/plugin-replace';

/**
 * For Rollup: parts of packages that the panel never uses, and that Rollup keeps because of how they are written.
 * Each is a workaround. Where a package's text has changed nothing is replaced, and test/package/bundle.test.ts tells.
 */
export const unusedParts = [
  // The table of all transports holds WebTransport, which `transports` in src/server.ts leaves out: 0.8 kB. Not needed
  // once socket.io-client takes transports as classes without importing that table.
  take('engine.io-client/build/esm/transports/index.js', { 'webtransport: WT,': '' }),
  // QRCodeCanvas, where QRCodeSVG is all we draw: 0.5 kB. Nothing tells Rollup that the call only makes a component.
  // Not needed once qrcode.react marks it as pure, and names its components without an assignment after it.
  take('qrcode.react/lib/esm/index.js', {
    'React.forwardRef(': '/* @__PURE__ */ React.forwardRef(',
    'QRCodeCanvas.displayName = "QRCodeCanvas";': '',
  }),
  // Of react-toastify: promises, shorthands, transitions, the icons of other kinds of toasts, its own close button and
  // progress bar, most of dragging, and stacking, 1.9 kB; src/view/notices.tsx asks for none of them. Not needed once the
  // package takes them as options that a bundler can see, or comes as modules that are not one file.
  take('react-toastify/dist/unstyled.mjs', {
    'W.loading=(e,t)=>V(e,H(`default`,{isLoading:!0,autoClose:!1,closeOnClick:!1,closeButton:!1,draggable:!1,...t}));':
      '',
    'W.promise=G,W.success=U(`success`),W.info=U(`info`),W.error=U(`error`),W.warning=U(`warning`),W.warn=W.warning,W.dark=(e,t)=>V(e,H(`default`,{theme:`dark`,...t}));':
      '',
    '$=_(Q(`bounce`,!0)),ce=_(Q(`slide`,!0)),le=_(Q(`zoom`)),ue=_(Q(`flip`)),': '$=!1,ce=$,le=$,ue=$,',
    '{info:te,warning:ee,success:ne,error:re,spinner:ie}': '{success:ne,error:re}',
    'i?o=Z.spinner():': '',
    ':b(H)': ':null',
    '!r.customProgressBar&&': '!1&&',
    'T={onPointerDown:_,onPointerUp:v}': 'T={}',
    'i=t.stacked,': 'i=!1,',
  }),
];

function take(file, values) {
  return replace({
    include: `**/node_modules/${file}`,
    delimiters: ['', ''],
    preventAssignment: true,
    values,
  });
}
