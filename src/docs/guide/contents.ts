/** The written pages in the order of the guide. Each name is a file `pages/<name>.md`. */
export const CONTENTS: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['start', 'project', 'edit', 'console', 'test-store', 'identity'] },
  { title: 'Apps', pages: ['app-web', 'app-ios', 'app-android', 'app-http'] },
  { title: 'Sell', pages: ['stores', 'web', 'support', 'people'] },
  { title: 'Target', pages: ['flags', 'experiments', 'placements', 'funnels', 'domains', 'openfeature'] },
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
      'assistant',
    ],
  },
  {
    title: 'Measure',
    pages: ['overview', 'metrics', 'charts', 'cohorts', 'sql', 'data-export', 'rates', 'clickhouse'],
  },
  { title: 'Move', pages: ['moving', 'import', 'former-sdk', 'project-move'] },
  {
    title: 'Run',
    pages: [
      'server',
      'https',
      'accounts',
      'team',
      'data-requests',
      'mail',
      'backup',
      'retention',
      'usage',
      'billing',
      'troubleshooting',
    ],
  },
  { title: 'Develop', pages: ['develop', 'add', 'figures', 'benchmark'] },
]
