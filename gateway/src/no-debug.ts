/** Imported first: what packages print by the variable `DEBUG`, which they read once, has tokens, codes and passwords in it. */
delete process.env.DEBUG;
