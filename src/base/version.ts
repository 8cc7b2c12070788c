/** Version of the executable and of the OpenAPI document. */
export const VERSION = '1.0.0'
