/** How the names of groups are compared: in the panel, and in the gateway's list. */

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

/** Returns the sections of groups that are separated by commas. */
export function sectionsOf(groups: string): ReadonlySet<string> {
  return new Set(groups.split(',').map(sectionOf));
}

/** Whether a group is one of those that are separated by commas, or none is named. */
export function isIn(groups: string, group: string | undefined): boolean {
  return !groups || sectionsOf(groups).has(sectionOf(group));
}
