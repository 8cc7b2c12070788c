/** The written pages in the order of the guide. Each name is a file `pages/<name>.md`. */
export const CONTENTS: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['start', 'project', 'test-store', 'identity', 'edit'] },
  { title: 'Sell', pages: ['stores', 'web', 'support'] },
  { title: 'Target', pages: ['flags', 'experiments', 'placements', 'openfeature'] },
  { title: 'Run', pages: ['server', 'backup', 'troubleshooting'] },
  { title: 'Develop', pages: ['develop', 'benchmark'] },
]
