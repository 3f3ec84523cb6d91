/**
 * The browser tests of what differs between engines, one of each kind and no more: they run in Firefox and in WebKit for
 * each change. The nightly run has all of them in every engine.
 */
export const ENGINE_TESTS = [
  // Custom elements, their upgrade, moves between documents; what a page hides.
  'test/lifecycle/{lifecycle,hidden}.browser.ts',
  // The order of scripts, the shadow root against hostile styles, cookies.
  'test/embedding/{script,isolation,cookies}.browser.ts',
  // Focus, keyboard, media features.
  'test/accessibility/{keyboard,settings}.browser.ts',
  // Dialogs, form controls and popovers, with their focus and Escape.
  'test/spec/add-dialog.browser.ts',
  'test/operators/menu.browser.ts',
  // The dialog of a code, its canvas and its image.
  'test/operators/code-dialog.browser.ts',
];
