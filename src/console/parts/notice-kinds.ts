import type { Schemas } from '../api/schemas'

export type NoticeKind = keyof Schemas['NotificationPreferences']['kinds']

/** Every kind of notice, in the order in which people choose where it goes. */
export const NOTICE_KINDS = [
  'webhook_disabled',
  'integration_disabled',
  'scheduled_action_failed',
  'export_failed',
  'import_ended',
  'comparison_differs',
  'audit_head',
  'certificate_ends',
  'domain_lost',
  'usage.alert',
  'assistant.intent',
] as const satisfies readonly NoticeKind[]
