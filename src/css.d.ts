/** The build and the test runner give a style sheet as its text. */
declare module '*.css' {
  const text: string;
  export default text;
}
