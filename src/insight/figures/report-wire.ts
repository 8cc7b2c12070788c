import { Type } from '@sinclair/typebox'

/** Members of a query that name the currency of its answer. */
export const CURRENCY_QUERY = {
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      maxLength: 3,
      description: 'ISO 4217, of all money in the answer; the project’s reportCurrency by default.',
    }),
  ),
  rateDate: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      maxLength: 10,
      description: 'Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt.',
    }),
  ),
}

export const RateSchema = Type.Object(
  {
    currency: Type.String(),
    usdPerUnit: Type.String({ description: 'Exactly, such as 1.0852 or 1.0852/162.03' }),
    date: Type.String({ description: 'The day that it is of; as rateDate it gives the same rate again' }),
  },
  {
    additionalProperties: false,
    title: 'ReportRate',
    description: 'What all money was converted with; missing in an answer in USD',
  },
)
