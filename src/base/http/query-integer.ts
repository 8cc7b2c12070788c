import { t } from 'elysia'

type Options = NonNullable<Parameters<typeof t.Integer>[0]>

/** An integer of the query; refusals name it. */
export const queryInteger = (name: string, options: Options) => t.Integer({ ...options, title: name })
