import type { ExportFile } from '../../../base/db/personal-data'

/** What a file of an export holds, for the person who reads it. */
export interface Section {
  title: string
  about: string
}

export const SECTIONS: Readonly<Record<ExportFile, Section>> = {
  'subscriber.json': {
    title: 'You',
    about: 'How the app knows you: your ids, your devices, what you may use, and your balances.',
  },
  'attributes.json': { title: 'Attributes', about: 'Facts about you that the app or its operator has saved.' },
  'purchases.jsonl': {
    title: 'Purchases',
    about: 'What you bought or were given, what the stores reported about it, and what is planned for it.',
  },
  'transactions.jsonl': { title: 'Payments', about: 'Single charges, trials and refunds.' },
  'ledger.jsonl': { title: 'Virtual currency', about: 'What you received and spent of the currencies of the app.' },
  'events.jsonl': {
    title: 'Events',
    about: 'Changes of your purchases and of what you may use, and why they happened.',
  },
  'experiments.jsonl': {
    title: 'Experiments',
    about: 'Which variants of the app you were given, and what the app reported for its experiments.',
  },
  'sessions.jsonl': { title: 'Sessions', about: 'When you opened the app.' },
  'telemetry.jsonl': { title: 'App events', about: 'What the app reported about its use.' },
  'funnels.jsonl': { title: 'Funnels', about: 'Your answers on web pages of the app.' },
  'requests.jsonl': { title: 'Data requests', about: 'Requests like the one that made this file.' },
  'transfers.jsonl': { title: 'Transfers', about: 'Purchases and accounts that were joined or moved.' },
  'store-messages.jsonl': {
    title: 'Messages of stores',
    about: 'What the app stores and the payment provider have sent about your purchases.',
  },
  'deliveries.jsonl': {
    title: 'Messages to others',
    about: 'When something about you was sent to systems of the operator or to services that it uses.',
  },
  'groups.jsonl': { title: 'Groups', about: 'Groups and rankings in which the operator counts you.' },
  'imports.jsonl': { title: 'Imports', about: 'What was brought from a service that the app used before.' },
  'assistant.jsonl': { title: 'Assistant', about: 'What people of the operator asked the assistant about you.' },
}
