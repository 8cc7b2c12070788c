import type { NoticeKind } from '../../operators/notices/notify'

export const ACTION_FAILED: NoticeKind = {
  kind: 'scheduled_action_failed',
  description: 'A scheduled cancellation could not be carried out at the store.',
}
