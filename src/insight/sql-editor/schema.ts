import { FUNCTION_NAMES } from './compile/functions'
import { VIEWS } from './views/views'

/** What a query can be made of. */
export const querySchema = () => ({
  tables: VIEWS.map(({ name, description, columns }) => ({
    name,
    description,
    columns: columns.map((column) => column.name),
    types: columns.map((column) => column.type),
  })),
  functions: [...FUNCTION_NAMES],
})
