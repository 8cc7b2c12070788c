/** The written pages in the order of the guide. Each name is a file `pages/<name>.md`. */
export const CONTENTS: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['start', 'project', 'edit', 'console', 'test-store', 'identity'] },
  { title: 'Sell', pages: ['stores', 'web', 'support', 'people'] },
  { title: 'Target', pages: ['flags', 'experiments', 'placements', 'openfeature'] },
  {
    title: 'Connect',
    pages: [
      'webhooks',
      'deliveries',
      'listen',
      'vendor-format',
      'integrations',
      'integration-providers',
      'forwarding',
      'telemetry',
    ],
  },
  {
    title: 'Measure',
    pages: ['overview', 'metrics', 'charts', 'cohorts', 'sql', 'data-export', 'rates', 'clickhouse'],
  },
  { title: 'Move', pages: ['moving', 'import', 'project-move'] },
  {
    title: 'Run',
    pages: ['server', 'accounts', 'team', 'data-requests', 'mail', 'backup', 'retention', 'troubleshooting'],
  },
  { title: 'Develop', pages: ['develop', 'add', 'figures', 'benchmark'] },
]
