/** What a store may answer with status 200 in place of what was asked for: the name of the kind, and the text. */
export const GARBAGE: readonly [name: string, text: string][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '7'],
  ['a text', '"done"'],
  ['true', 'true'],
  ['a list', '[]'],
  ['a list of null', '[null]'],
  ['HTML', '<!doctype html><title>Sign in to this network</title>'],
  ['half a JSON text', '{"id":"x","data":['],
  ['an object without members', '{}'],
  ['members that are null', withMembers(null)],
  ['members that are numbers', withMembers(7)],
  ['members that are empty', withMembers('')],
  ['members that are lists', withMembers([null])],
  ['members that are objects', withMembers({ deleted: {} })],
  ['an object of 9 MiB', JSON.stringify({ id: 'x', filling: 'a'.repeat(9 * 1024 * 1024) })],
]

/** An object with every member that an answer of a store is read for. */
function withMembers(value: unknown): string {
  const names = [
    ...['id', 'object', 'url', 'data', 'has_more', 'deleted', 'lines', 'items', 'status', 'charge', 'invoice'],
    ...['cancel_at_period_end', 'access_token', 'expires_in', 'keys', 'lineItems', 'productLineItem', 'kind'],
    ...['subscriptionState', 'purchaseStateContext', 'voidedPurchases', 'tokenPagination'],
    ...['signedTransactionInfo', 'testNotificationToken', 'notificationHistory', 'hasMore', 'success'],
  ]
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
}
