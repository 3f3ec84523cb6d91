#!/usr/bin/env node

/** Node opens hundreds of files at once while it loads the gateway; each client and each session takes one. */
const LEAST_FILES = 1_024;

// What packages print by it has tokens, codes and passwords in it. They read it as soon as they are loaded.
delete process.env.DEBUG;

try {
  await import('./main.ts');
} catch (error) {
  const { userLimits }: { userLimits?: { open_files: { soft: unknown } } } = process.report.getReport();
  const files = userLimits?.open_files.soft;
  if (typeof files !== 'number' || files >= LEAST_FILES) throw error;
  console.error(
    `Only ${files} files may be open at once: allow ${LEAST_FILES} or more, by ulimit -n or LimitNOFILE.`,
  );
  process.exit(1);
}

export {};
