export const texts = {
  whatGoesWhere: 'What goes where',
  news: 'News',
  channel: { inapp: 'In the console', email: 'Mail', push: 'Push' },
  allNews: 'All news',
  allNewsHint: 'Off: nothing goes this way.',
  kind: {
    webhook_disabled: {
      name: 'Webhook endpoint switched off',
      hint: 'Nothing could be delivered to it for five days.',
    },
    integration_disabled: {
      name: 'Integration switched off',
      hint: 'Nothing could be delivered to the provider for five days.',
    },
    scheduled_action_failed: {
      name: 'Scheduled action failed',
      hint: 'A scheduled cancellation could not be carried out at the store.',
    },
    export_failed: {
      name: 'Data export failed',
      hint: 'A scheduled export could not be written, and was given up until its next day.',
    },
  },
}
