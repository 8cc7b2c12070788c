import { type Static, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const
const MAX_CHARS = 1024 * 1024
/** How many problems of a file one answer names. */
export const MAX_PROBLEMS = 100

/** One text of the machine of the caller, by the name under which a placeholder of the file asks for it. */
const texts = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 1024 }), Type.String({ maxLength: MAX_CHARS }), {
      description,
      maxProperties: 1000,
    }),
  )

const file = {
  file: Type.String({ maxLength: MAX_CHARS, description: 'The project file, YAML or JSON' }),
  prune: Type.Optional(Type.Boolean({ description: 'Delete what the sections of the file no longer name' })),
  env: texts('The value of each variable that a placeholder names; those of the server are never read'),
  files: texts('The text of each file that a placeholder or pagesFile names; those of the server are never read'),
}

const ShownVersion = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'That of the plan that was looked at; 409 CONFLICT when the project has changed since',
  }),
)

export const PlanBody = Type.Object(file, { ...strict, title: 'ProjectFilePlanRequest' })

export const ApplyBody = Type.Object(
  {
    ...file,
    configVersion: ShownVersion,
  },
  { ...strict, title: 'ProjectFileApplyRequest' },
)

export type FileBody = Static<typeof PlanBody>

const ABOUT_PATCH = `A project file that has only what changes, as JSON Merge Patch (RFC 7396) over the exported file: as an object, or as text in YAML or JSON. Sections, objects and members that it does not name stay. A list is replaced whole. null removes an object, or gives a member its default; a value cannot get a null by a patch. version may be left out. It has no secrets: what is left out keeps the saved ones. Example: {"flags": {"new_paywall": {"environments": {"PROD": {"enabled": false}}}}}`

export const PatchBody = Type.Object(
  {
    patch: Type.Union(
      [
        Type.String({ maxLength: MAX_CHARS }),
        Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 50 }),
      ],
      { description: ABOUT_PATCH },
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'Computes the changes and writes nothing' })),
    configVersion: ShownVersion,
  },
  { ...strict, title: 'ProjectFilePatchRequest' },
)

export type PatchBody = Static<typeof PatchBody>

export const ExportQuery = Type.Object(
  {
    withIds: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], { description: 'Adds the ids, as comments' }),
    ),
    format: Type.Optional(
      Type.Union([Type.Literal('yaml'), Type.Literal('json')], { description: 'json has no comments; default yaml' }),
    ),
  },
  strict,
)

export const ExportedFile = Type.Object(
  {
    yaml: Type.Union([Type.String(), Type.Null()], { description: 'The file; null with format=json' }),
    json: Type.Union([Type.String(), Type.Null()], { description: 'The file with format=json, else null' }),
    configVersion: Type.Integer(),
  },
  { ...strict, title: 'ProjectFile' },
)

const Problem = Type.Object(
  {
    line: Type.Integer(),
    column: Type.Integer(),
    path: Type.String(),
    code: Type.String(),
    message: Type.String(),
    details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { ...strict, title: 'ProjectFileProblem' },
)

const Change = Type.Object(
  {
    op: Type.String({ description: 'create, update, delete or keep-secret' }),
    kind: Type.String(),
    ref: Type.String(),
    path: Type.Union([Type.String(), Type.Null()]),
    before: Type.Unknown(),
    after: Type.Unknown(),
  },
  { ...strict, title: 'ProjectFileChange' },
)

const Counts = Type.Object(
  { create: Type.Integer(), update: Type.Integer(), delete: Type.Integer(), keepSecret: Type.Integer() },
  strict,
)

const Warning = Type.Object(
  { kind: Type.String(), ref: Type.String(), path: Type.String(), message: Type.String() },
  { ...strict, title: 'ProjectFileWarning' },
)

const plan = {
  lines: Type.Array(Type.String(), { description: 'What svc apply prints' }),
  changes: Type.Array(Change),
  counts: Counts,
  warnings: Type.Optional(
    Type.Array(Warning, {
      description: 'Rules of the file that probably do not do what was meant; absent if there are none',
    }),
  ),
  configVersion: Type.Integer({ description: 'The version of the project that was compared' }),
}

export const FilePlan = Type.Object(
  {
    ...plan,
    problems: Type.Array(Problem, {
      maxItems: MAX_PROBLEMS,
      description: `With any, nothing can be applied. The first ${MAX_PROBLEMS}, in the order of the file`,
    }),
    problemCount: Type.Integer({ minimum: 0, description: 'How many problems the file has' }),
  },
  { ...strict, title: 'ProjectFilePlan' },
)

const MadeSecretSchema = Type.Object(
  { kind: Type.String(), ref: Type.String(), secret: Type.String() },
  { ...strict, title: 'ProjectFileSecret' },
)

export const AppliedFile = Type.Object(
  {
    ...plan,
    applied: Type.Boolean({ description: 'false: there was nothing to change' }),
    waitingPurchases: Type.Integer({
      description: 'Purchases that were recorded before one of the products, and get it now',
    }),
    secrets: Type.Array(MadeSecretSchema, {
      description: 'The signing secrets of new webhook endpoints. They are shown once',
    }),
  },
  { ...strict, title: 'AppliedProjectFile' },
)

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Drifted = Type.Object(
  {
    section: Type.String({ examples: ['products'] }),
    name: Type.String({ description: 'As the file names it; empty for the project itself' }),
    file: textOrNull('The object as the file had it, as YAML; null: the file does not have it'),
    project: textOrNull('The object as it is now; null: it is gone'),
  },
  { ...strict, title: 'ProjectFileDrifted' },
)

export const FileDriftAnswer = Type.Object(
  {
    appliedAt: textOrNull('When a command applied the file last; null: the project is kept in no file'),
    appliedBy: textOrNull('Whose access token applied it; null: the command ran beside the database'),
    count: Type.Integer({ description: 'How many objects differ' }),
    objects: Type.Array(Drifted, { description: 'The first 100 of them' }),
  },
  { ...strict, title: 'ProjectFileDrift' },
)
