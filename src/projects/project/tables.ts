import type { Kit } from '../../base/db/kit'
import type { ProjectSettings } from '../../core/project/schema'

export type KeyKind = 'pair' | 'public' | 'secret'

export const projectTables = (k: Kit) => ({
  projects: k.table(
    'projects',
    {
      id: k.str().primaryKey(),
      slug: k.str().notNull(),
      name: k.str().notNull(),
      timezone: k.str().notNull(),
      allowedOrigins: k.json<string[]>().notNull(),
      termsUrl: k.str(),
      privacyUrl: k.str(),
      /** A picture of the project. */
      logoAssetId: k.str(),
      settings: k.json<Partial<ProjectSettings>>().notNull(),
      /** The value of the deployment's revision at the last change of the project's configuration. */
      configVersion: k.int().notNull(),
      suspendedAt: k.int(),
      deletedAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('projects_slug').on(t.slug), k.index('projects_config_version').on(t.configVersion)],
  ),

  apiKeys: k.table(
    'api_keys',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      label: k.str().notNull(),
      kind: k.str().$type<KeyKind>().notNull(),
      publicKey: k.str(),
      /** SHA-256 of the whole secret token, in hex. */
      secretHash: k.str(),
      secretLast4: k.str(),
      /** Hash of the secret before the last rotation, while that secret is still accepted. */
      previousHash: k.str(),
      previousUntil: k.int(),
      environment: k.str().notNull(),
      /** Null = the allowed origins of the project apply. */
      allowedOrigins: k.json<string[] | null>(),
      ratePerMinute: k.int(),
      expiresAt: k.int(),
      revokedAt: k.int(),
      lastUsedAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('api_keys_public').on(t.publicKey),
      k.unique('api_keys_secret').on(t.secretHash),
      k.unique('api_keys_previous').on(t.previousHash),
      k.index('api_keys_project').on(t.projectId),
    ],
  ),

  storeSettings: k.table(
    'store_settings',
    {
      projectId: k.str().notNull(),
      /** `ios`, `android`, `payment`, `refundShield`, `commissionRates`. */
      section: k.str().notNull(),
      /** The members that are not secret: ids, names, switches. */
      config: k.json<Record<string, unknown>>().notNull(),
      /** The encrypted JSON of the secret members; null when there are none. */
      sealed: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.section] })],
  ),

  /** One row for each named number. `config` grows with every change of the configuration of any project. */
  revisions: k.table('revisions', { name: k.str().primaryKey(), value: k.int().notNull() }),
})

type ProjectTables = ReturnType<typeof projectTables>

declare module '../../base/db/tables' {
  interface Tables extends ProjectTables {}
}
