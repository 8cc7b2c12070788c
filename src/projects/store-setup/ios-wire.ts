import { type Static, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }
const Text = (description: string, maxLength = 255) => Type.String({ minLength: 1, maxLength, description })

export const IosKeyBody = Type.Object(
  {
    keyId: Text('Ten letters or digits, as App Store Connect shows them'),
    issuerId: Text('The UUID above the list of keys in App Store Connect'),
    privateKey: Type.Optional(Text('The text of the .p8 file. Left out, the saved key with this key id stays', 10_000)),
  },
  { ...strict, title: 'IosKeyInput' },
)
export type IosKeyBody = Static<typeof IosKeyBody>

/** The whole state: a key that is left out is removed. */
export const IosCredentialsBody = Type.Object(
  {
    bundleId: Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9.-]+$', examples: ['com.example.app'] }),
    appId: Type.Optional(
      Type.Union([Type.String({ pattern: '^\\d{1,20}$', maxLength: 20 }), Type.Null()], {
        description: 'The numeric Apple ID of the app. Left out, it is read with the store-connect key',
      }),
    ),
    inAppPurchaseKey: Type.Optional(IosKeyBody),
    storeConnectKey: Type.Optional(IosKeyBody),
  },
  { ...strict, title: 'IosCredentialsInput' },
)
export type IosCredentialsBody = Static<typeof IosCredentialsBody>
