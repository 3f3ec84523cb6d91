/** Milliseconds after which the browser has read the file. */
const READ_MS = 1000;

/** Downloads a file of this name. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
