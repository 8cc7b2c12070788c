export type { ImportJobRow } from '../queries'
