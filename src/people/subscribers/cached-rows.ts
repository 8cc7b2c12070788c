import type { NamedRows } from '../../base/http/cached-rows'

/** Of subscribers' rows; those merged into another are part of that one's answers. */
export const subscriberRows: NamedRows = {
  columns: ['id', 'merged_into'],
  idPrefixes: ['sub_'],
  // Last-seen instants change by themselves all the time; whoever asks for them must not cache the answer.
  ignores: /^update "subscribers" set "last_seen_at" = \? where /,
}
