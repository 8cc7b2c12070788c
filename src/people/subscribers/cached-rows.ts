import type { NamedRows } from '../../base/http/cached-rows'

/** Rows of subscribers. A cached answer for a subscriber also depends on the rows that were merged into theirs. */
export const subscriberRows: NamedRows = {
  columns: ['id', 'merged_into'],
  idPrefixes: ['sub_'],
  // These values change all the time. A route that answers with them must not cache its answer.
  ignores: /^update "subscribers" set ("last_seen_at" = \?|"seq" = "subscribers"\."seq" \+ \?) where /,
}
