import { isNotNull } from 'drizzle-orm'
import type { ProviderName } from '../../base/config-assistant'
import type { Kit } from '../../base/db/kit'
import type { MarkKind } from './masking/marks'

export const assistantTables = (k: Kit) => ({
  /** The own model of a project. */
  assistantCredentials: k.table('assistant_credentials', {
    projectId: k.str().primaryKey(),
    provider: k.str().$type<ProviderName>().notNull(),
    model: k.str().notNull(),
    /** Null = the address of the provider. */
    baseUrl: k.str(),
    /** Null for a server that asks for no key. */
    sealedKey: k.str(),
    /** What people recognise the key by. */
    keyLast4: k.str(),
    createdAt: k.int().notNull(),
    updatedAt: k.int().notNull(),
  }),

  /** Conversations. Only their author reads them. */
  assistantThreads: k.table(
    'assistant_threads',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      userId: k.str().notNull(),
      title: k.str(),
      /** What the marks in the texts of the thread replace. */
      marks: k.json<Record<string, StoredMark>>().notNull(),
      /** The answer that is being written, and the process that writes it; null = none. */
      turnMessageId: k.str(),
      turnInstance: k.str(),
      turnStartedAt: k.int(),
      /** When a stop was requested at another process than the one that writes the answer. */
      turnStoppedAt: k.int(),
      createdAt: k.int().notNull(),
      lastMessageAt: k.int().notNull(),
    },
    (t) => [
      k.index('assistant_threads_author').on(t.projectId, t.userId, t.id),
      k.index('assistant_threads_last').on(t.lastMessageAt),
      k.index('assistant_threads_turn').on(t.turnInstance).where(isNotNull(t.turnInstance)),
    ],
  ),

  assistantMessages: k.table(
    'assistant_messages',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      threadId: k.str().notNull(),
      role: k.str().$type<'USER' | 'ASSISTANT'>().notNull(),
      /** With marks in place of personal data, unless the project shows it to the model. */
      text: k.str().notNull(),
      status: k.str().$type<MessageStatus>().notNull(),
      /** What was read for it. */
      tools: k.json<StoredTool[]>().notNull(),
      inputTokens: k.int().notNull(),
      outputTokens: k.int().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.index('assistant_messages_thread').on(t.threadId, t.id),
      k.index('assistant_messages_project').on(t.projectId),
    ],
  ),

  /** Changes that were proposed, each with its effect, for a person to approve. */
  assistantIntents: k.table(
    'assistant_intents',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** Null for a proposal of an agent. */
      threadId: k.str(),
      action: k.str().notNull(),
      route: k.json<IntentRoute>().notNull(),
      arguments: k.json<Record<string, unknown>>().notNull(),
      summary: k.str().notNull(),
      preview: k.json<IntentPreview>().notNull(),
      base: k.json<IntentBase[]>().notNull(),
      digest: k.str().notNull(),
      /** A capability, or a role. */
      capability: k.str().notNull(),
      risk: k.str().$type<IntentRisk>().notNull(),
      /** The id of the user; null for the command line. */
      proposedBy: k.str(),
      /** Null for a proposal of before this was known. */
      via: k.json<IntentVia>(),
      status: k.str().$type<IntentStatus>().notNull(),
      createdAt: k.int().notNull(),
      expiresAt: k.int().notNull(),
      decidedBy: k.str(),
      decidedAt: k.int(),
      result: k.json<unknown>(),
      replacedBy: k.str(),
    },
    (t) => [
      k.index('assistant_intents_project').on(t.projectId, t.status, t.id),
      k.index('assistant_intents_thread').on(t.threadId, t.id).where(isNotNull(t.threadId)),
      k.index('assistant_intents_created').on(t.createdAt),
    ],
  ),

  /** What a project has used in a month of UTC. */
  assistantUsage: k.table(
    'assistant_usage',
    {
      projectId: k.str().notNull(),
      /** `2026-11`. */
      month: k.str().notNull(),
      messages: k.int().notNull(),
      inputTokens: k.int().notNull(),
      outputTokens: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.month] })],
  ),

  /** What an answer that is being written may still use of a month. */
  assistantReservations: k.table(
    'assistant_reservations',
    {
      messageId: k.str().notNull(),
      month: k.str().notNull(),
      projectId: k.str().notNull(),
      /** The process that writes the answer. */
      instance: k.str().notNull(),
      /** 1 in the month in which the turn started. */
      messages: k.int().notNull(),
      inputTokens: k.int().notNull(),
      outputTokens: k.int().notNull(),
      /** The last figures of the provider for the step that runs. */
      usedInputTokens: k.int().notNull(),
      usedOutputTokens: k.int().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.messageId, t.month] }),
      k.index('assistant_reservations_month').on(t.projectId, t.month),
    ],
  ),
})

/** `INTERRUPTED`: its process ended; the text is what there was until then. */
export type MessageStatus = 'RUNNING' | 'DONE' | 'STOPPED' | 'FAILED' | 'INTERRUPTED'

export interface StoredMark {
  kind: MarkKind
  text: string
  subscriberId: string | null
}

/** A tool that was called, as people see it. */
export interface StoredTool {
  id: string
  name: string
  summary: string
  /** Null for what is no list. */
  rows: number | null
  /** The call that reads the same again, with marks in its texts; null or absent = it cannot be made again. */
  read?: StoredRead | null
}

/** A call of a reading route. */
export interface StoredRead {
  method: string
  path: string
  body: Record<string, unknown> | null
}

export type IntentRisk = 'low' | 'high'

/** `PENDING` after its end counts as expired. */
export type IntentStatus = 'PENDING' | 'REJECTED' | 'EXECUTED' | 'FAILED'

/** Through what a change was proposed. */
export interface IntentVia {
  /** `CONSOLE`: a person changed the arguments of a proposal, or proposed it again. */
  kind: 'CHAT' | 'MCP' | 'CLI' | 'CONSOLE'
  /** The name of the personal access token of an agent, at that time. */
  token: string | null
  /** Why, in the words of the agent. */
  note: string | null
}

export interface IntentRoute {
  method: string
  /** Below the project. */
  path: string
}

/** An object that the change reads, at the revision of the preview. */
export interface IntentBase {
  type: string
  id: string
  revision: number
}

export interface IntentChange {
  path: string
  before: unknown
  after: unknown
}

export interface AccessPeople {
  access: string
  people: number
}

export interface IntentPreview {
  changes: IntentChange[]
  effects: {
    people: number | null
    accessGained: AccessPeople[]
    accessLost: AccessPeople[]
    /** Negative = leaves us. */
    money: { amountMicros: number; currency: string } | null
    events: string[]
  }
  warnings: string[]
  /** What `svc apply` prints of the change; only for a patch of the project file. */
  lines?: string[]
}

type AssistantTables = ReturnType<typeof assistantTables>

declare module '../../base/db/tables' {
  interface Tables extends AssistantTables {}
}
