import { expect, test } from 'bun:test'
import { hasEnvironment } from '../../src/console/shell/environments'

test('the environment is offered on screens that show one of the two, and on no other', () => {
  const those = ['/overview', '/subscribers', '/subscribers/sub_1', '/revenue', '/revenue/transactions', '/charts/mrr']
  const more = ['/charts', '/charts/leaderboards/ldb_1', '/connections/webhooks/whe_1', '/connections/store-events']
  expect([...those, ...more].filter((path) => !hasEnvironment(path))).toEqual([])
  const both = ['/subscribers/transfers', '/subscribers/data-requests', '/revenue/scheduled', '/revenue/refund-shield']
  const lists = ['/charts/sql', '/charts/cohorts', '/charts/cohorts/coh_1', '/charts/leaderboards', '/connections']
  const others = ['/catalogue', '/growth', '/growth/flags/a', '/connections/webhooks', '/connections/imports/imp_1']
  expect([...both, ...lists, ...others, '/settings', '/settings/usage'].filter(hasEnvironment)).toEqual([])
})
