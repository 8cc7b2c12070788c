import { Type } from '@sinclair/typebox'
import { listAnswer } from '../../base/http/list'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { SettingsChange, SettingsSchema } from '../../core/project/schema'
import { type MemberRole, ROLES } from '../../core/roles/roles'
import { oneOf } from '../../core/schema/object'
import { MAX_ORIGINS } from '../../projects/project/origins'
import type { ProjectRow } from '../../projects/project/service'
import { allSettings, MAX_TIMEZONE, MAX_WEB_URL } from '../../projects/project/settings'
import { KeySchema } from './key-wire'

const strict = { additionalProperties: false } as const
const orNull = <Inner extends Parameters<typeof Type.Union>[0][number]>(inner: Inner) =>
  Type.Union([inner, Type.Null()])

const MEMBER_ROLES: readonly MemberRole[] = [...ROLES, 'SUPPORT_READ']

const ProjectSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    timezone: Type.String(),
    allowedOrigins: Type.Array(Type.String()),
    termsUrl: orNull(Type.String()),
    privacyUrl: orNull(Type.String()),
    logoUrl: orNull(Type.String()),
    role: oneOf(MEMBER_ROLES, { description: 'Your role in it' }),
    suspendedAt: orNull(Type.String()),
    settings: SettingsSchema,
    revision: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { ...strict, title: 'Project' },
)

const name = Type.String({ minLength: 1, maxLength: 255 })
const slug = Type.String({ minLength: 1, maxLength: 64, description: 'Lower-case letters, digits and inner dashes' })
const webUrl = orNull(Type.String({ minLength: 1, maxLength: MAX_WEB_URL }))

export const NewProject = Type.Object({ name, slug: Type.Optional(slug) }, { ...strict, title: 'NewProject' })

export const ProjectPatch = Type.Partial(
  Type.Object({
    name,
    slug,
    timezone: Type.String({ minLength: 1, maxLength: MAX_TIMEZONE }),
    allowedOrigins: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: MAX_ORIGINS }),
    termsUrl: webUrl,
    privacyUrl: webUrl,
    logoAssetId: orNull(Type.String({ minLength: 1, maxLength: 64 })),
    settings: SettingsChange,
  }),
  { ...strict, title: 'ProjectChange' },
)

export const ProjectAnswer = Type.Object({ data: ProjectSchema }, strict)
export const ProjectsAnswer = listAnswer(ProjectSchema)
export const NewProjectAnswer = Type.Object(
  {
    data: Type.Object(
      { project: ProjectSchema, apiKey: Type.Object({ ...KeySchema.properties, secret: Type.String() }, strict) },
      strict,
    ),
  },
  strict,
)

/** A project as one of its members sees it. */
export const toProjectView = (row: ProjectRow, role: MemberRole, logoUrl: string | null) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  timezone: row.timezone,
  allowedOrigins: row.allowedOrigins,
  termsUrl: row.termsUrl,
  privacyUrl: row.privacyUrl,
  logoUrl,
  role,
  suspendedAt: toIsoOrNull(row.suspendedAt),
  settings: allSettings(row.settings),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
