import { t } from 'elysia'

type Options = NonNullable<Parameters<typeof t.Integer>[0]>

/** An integer parameter of the query. Its name is the title, so that error messages can name it. */
export const queryInteger = (name: string, options: Options) => t.Integer({ ...options, title: name })
