/** The package's version, for a page that meets another one. A test holds it to package.json. */
export const version = '0.1.0';
