import { Type } from '@sinclair/typebox'
import { dryRun, plannedMembers } from '../../../intake/missing-products/wire'

const strict = { additionalProperties: false } as const

export const ProductsBody = Type.Object({ dryRun }, { ...strict, title: 'ImportProductsOrder' })

export const ImportProductsSchema = Type.Object(plannedMembers, { ...strict, title: 'ImportProducts' })
