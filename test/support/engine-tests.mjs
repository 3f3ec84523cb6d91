/** The browser tests of what differs between engines; the nightly run has all of them in every engine. */
export const ENGINE_TESTS = [
  // Life cycle, shadow root, events, cookies.
  'test/{embedding,lifecycle}/*.browser.ts',
  // Focus, keyboard, media features, layout. What axe checks, names and colours, is the same in each engine.
  'test/accessibility/{announcements,keyboard,layout,settings}.browser.ts',
  // The screen and the top layer: dialogs and notices.
  'test/spec/{screen,add-dialog,delete-dialog,notices}.browser.ts',
  'test/broken-servers/notices.browser.ts',
  'test/operators/{code-dialog,link,list-view,menu}.browser.ts',
  '!test/**/*.nightly.browser.ts',
];
