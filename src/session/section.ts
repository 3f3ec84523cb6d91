/**
 * Returns the section of the list for a group; '' where there is none. Groups that look alike are one section: invisible
 * characters do not count, nor do other forms of a letter or a space.
 */
export function sectionOf(group = ''): string {
  return group
    .replace(/[\p{DI}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replace(/[\s\u2800]+/g, ' ')
    .trim()
    .toLowerCase();
}
