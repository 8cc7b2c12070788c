export interface paths {
    "/admin/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audit log of the platform */
        get: operations["listPlatformAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Jobs that wait, run or are dead */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of the deployment */
        get: operations["getPlatformMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the outbox of mail */
        get: operations["listOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All projects */
        get: operations["listAllProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One project */
        get: operations["getAnyProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projects/{id}/support-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a project for some hours */
        post: operations["createSupportGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projects/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close the dashboard of a project */
        post: operations["suspendProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projects/{id}/unsuspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open the dashboard of a project again */
        post: operations["unsuspendProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/support-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All support grants */
        get: operations["listSupportGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/support-grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a support grant */
        delete: operations["deleteSupportGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all sessions of a user */
        post: operations["signOutUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oauth/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Go to a provider to sign in */
        get: operations["startOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oauth/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Come back from a provider */
        get: operations["finishOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the sign-in page shows */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in with a passkey */
        post: operations["getPasskeyRequestOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a link to choose a new password */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password with the link */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a password */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an account */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the second factor */
        post: operations["giveSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a mail address */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for the link to confirm an address again */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed-in person */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /** Delete the own account */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /** Change the own name */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/dashboard/me/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Providers with which the person signs in */
        get: operations["listLinkedAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/accounts/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Link an account at a provider */
        post: operations["linkAccount"];
        /** Remove a linked account */
        delete: operations["unlinkAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything about the own account */
        get: operations["exportMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own passkeys */
        get: operations["listPasskeys"];
        put?: never;
        /** Save a passkey */
        post: operations["createPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a passkey */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to make a passkey */
        post: operations["getPasskeyCreationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set the own password */
        put: operations["setPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the dashboard looks for the person */
        get: operations["getPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change how the dashboard looks */
        patch: operations["updatePreferences"];
        trace?: never;
    };
    "/dashboard/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all own sessions but the current one */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one own session */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own personal access tokens */
        get: operations["listAccessTokens"];
        put?: never;
        /** Make a personal access token */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a personal access token */
        delete: operations["deleteAccessToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/two-factor/backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make new backup codes */
        post: operations["renewBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn two-factor sign-in on with a first code */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn two-factor sign-in off */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/me/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Prepare two-factor sign-in */
        post: operations["enableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your notices */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a notice as read */
        post: operations["readNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How you are told */
        get: operations["getNotificationPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change how you are told */
        patch: operations["updateNotificationPreferences"];
        trace?: never;
    };
    "/dashboard/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark all notices as read */
        post: operations["readAllNotices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send yourself a test */
        post: operations["testNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count your unread notices */
        get: operations["countUnreadNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/payment/connect/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The way back from the payment provider */
        get: operations["completePaymentConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your projects */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One project */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /** Delete a project */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /** Change a project and its settings */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Access levels of the project */
        get: operations["listAccess"];
        put?: never;
        /** Create an access level */
        post: operations["createAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/access/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One access level */
        get: operations["getAccess"];
        put?: never;
        post?: never;
        /** Delete an access level */
        delete: operations["deleteAccess"];
        options?: never;
        head?: never;
        /** Change an access level */
        patch: operations["updateAccess"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API keys, revoked ones included */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key at once */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /** Change an API key */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/api-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an API key a new secret */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the connection to each store stands */
        get: operations["listStoreApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/{store}/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a store sells */
        get: operations["listStoreCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/android/pubsub": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The Pub/Sub connection of Google Play */
        get: operations["getPubSubConnection"];
        put?: never;
        post?: never;
        /** Disconnect Google Play */
        delete: operations["disconnectPubSub"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/android/pubsub/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect Google Play through Pub/Sub */
        post: operations["connectPubSub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/android/pubsub/recreate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Repair the Pub/Sub connection */
        post: operations["recreatePubSub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/android/pubsub/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the subscription */
        post: operations["rotatePubSub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/android/pubsub/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish a test notification */
        post: operations["testPubSub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/ios/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look an app up by its bundle id */
        get: operations["lookUpIosApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/ios/notification-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the App Store sends notifications */
        get: operations["getIosNotificationUrl"];
        put?: never;
        /** Let the App Store send notifications to this server */
        post: operations["setIosNotificationUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/ios/test-notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let the App Store send a test notification */
        post: operations["requestIosTestNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/apps/ios/test-notification/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of a test notification */
        get: operations["getIosTestNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/audiences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audiences of the project */
        get: operations["listAudiences"];
        put?: never;
        /** Create an audience */
        post: operations["createAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/audiences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One audience */
        get: operations["getAudience"];
        put?: never;
        post?: never;
        /** Delete an audience */
        delete: operations["deleteAudience"];
        options?: never;
        head?: never;
        /** Change an audience */
        patch: operations["updateAudience"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/audiences/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace the list of ids of an audience */
        put: operations["putAudienceMembers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/audiences/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whom rules would match */
        post: operations["previewAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audit log of the project */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/audit-log/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify the audit log */
        get: operations["proveAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether something was changed */
        get: operations["getProjectChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All charts with their definitions */
        get: operations["listCharts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/{chartId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The figures of a chart */
        get: operations["getChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/{chartId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The figures of a chart as CSV */
        get: operations["exportChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/{chartId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rows that a figure of a chart is made of */
        get: operations["listChartRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Annotations on charts, the latest first */
        get: operations["listAnnotations"];
        put?: never;
        /** Annotate the charts */
        post: operations["createAnnotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/annotations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an annotation */
        delete: operations["deleteAnnotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Saved views of charts */
        get: operations["listChartViews"];
        put?: never;
        /** Save a view of a chart */
        post: operations["createChartView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/charts/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved view */
        delete: operations["deleteChartView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/cohorts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cohorts */
        get: operations["listCohorts"];
        put?: never;
        /** Create a cohort */
        post: operations["createCohort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/cohorts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a cohort */
        delete: operations["deleteCohort"];
        options?: never;
        head?: never;
        /** Change a cohort */
        patch: operations["updateCohort"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/cohorts/{id}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the people of a cohort stayed */
        get: operations["analyseCohort"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/cohorts/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People of a cohort, the newest subscriber first */
        get: operations["listCohortMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/commission-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace what the stores keep of a charge */
        put: operations["putCommissionRates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/compare/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comparisons with another service */
        get: operations["listComparisons"];
        put?: never;
        /** Compare with another service */
        post: operations["startComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/compare/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A comparison with its counts */
        get: operations["getComparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/compare/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a comparison where it is */
        post: operations["cancelComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/compare/runs/{id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a comparison has found */
        get: operations["listComparisonFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/compare/runs/{id}/findings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The differences as CSV */
        get: operations["exportComparisonFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/compare/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The nightly comparison */
        get: operations["getComparisonSchedule"];
        /** Compare every night */
        put: operations["setComparisonSchedule"];
        post?: never;
        /** End the nightly comparison */
        delete: operations["deleteComparisonSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which store credentials are saved */
        get: operations["getStoreCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/credentials/{store}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove the credentials of a store */
        delete: operations["deleteStoreCredentials"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/credentials/android": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Save the credentials of the Android store */
        put: operations["saveAndroidCredentials"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/credentials/ios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Save the credentials of the iOS store */
        put: operations["saveIosCredentials"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/credentials/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Save keys of the project’s own payment account */
        put: operations["savePaymentCredentials"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/dsar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Data subject requests, newest first */
        get: operations["listDataRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/dsar/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the result of a data subject request */
        get: operations["downloadOperatorDataRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of the project */
        get: operations["listProjectEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One event */
        get: operations["getProjectEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/events/listen-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signing secret of svc listen */
        get: operations["getProjectListenSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of the project as they happen */
        get: operations["streamProjectEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Experiments of the project */
        get: operations["listExperiments"];
        put?: never;
        /** Create an experiment */
        post: operations["createExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One experiment */
        get: operations["getExperiment"];
        put?: never;
        post?: never;
        /** Delete a DRAFT */
        delete: operations["deleteExperiment"];
        options?: never;
        head?: never;
        /** Change an experiment */
        patch: operations["updateExperiment"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy an experiment */
        post: operations["duplicateExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause an experiment */
        post: operations["pauseExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How an experiment stands */
        get: operations["getResultsOfExperiment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume an experiment */
        post: operations["resumeExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a DRAFT */
        post: operations["startExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/experiments/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop an experiment */
        post: operations["stopExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exports of the data, with their files */
        get: operations["listDataExports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/exports/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scheduled exports */
        get: operations["listExportSchedules"];
        put?: never;
        /** Export the data daily */
        post: operations["createExportSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/exports/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a scheduled export */
        delete: operations["deleteExportSchedule"];
        options?: never;
        head?: never;
        /** Change a scheduled export */
        patch: operations["updateExportSchedule"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/feature-flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Flags, one for each key and environment */
        get: operations["listFeatureFlags"];
        put?: never;
        /** Create a flag in one environment */
        post: operations["createFeatureFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/feature-flags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One flag in one environment */
        get: operations["getFeatureFlag"];
        put?: never;
        post?: never;
        /** Delete a flag in one environment */
        delete: operations["deleteFeatureFlag"];
        options?: never;
        head?: never;
        /** Change a flag */
        patch: operations["updateFeatureFlag"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/feature-flags/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switch a flag on or off */
        post: operations["toggleFeatureFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/feature-flags/by-key/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One flag over all environments */
        get: operations["getFeatureFlagByKey"];
        /** Write a flag in all environments as one */
        put: operations["putFeatureFlagByKey"];
        post?: never;
        /** Delete a flag in all environments as one */
        delete: operations["deleteFeatureFlagByKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Imports of the project */
        get: operations["listImports"];
        put?: never;
        /** Send a file as a new import */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One import */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End an import; what is written stays */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write the rows of an import that was tried, then ask the stores */
        post: operations["commitImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try an import: reads every row and writes none */
        post: operations["dryRunImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/mapping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change how the columns of an import are read */
        patch: operations["updateImportMapping"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a file to an import of Android tokens */
        post: operations["addImportPart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the products that an import names and the catalogue does not have */
        post: operations["createImportProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/report.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every row of an import that cannot be read, as CSV */
        get: operations["getImportReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on asking the stores about an import */
        post: operations["resumeImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/imports/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back what only this import has brought; `undoneAt` says when it is done */
        post: operations["undoImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integration-deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver the same event once more */
        post: operations["redeliverIntegrationDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Connections to other providers */
        get: operations["listIntegrations"];
        put?: never;
        /** Connect a provider */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a connection */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /** Change a connection */
        patch: operations["updateIntegration"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integrations/{id}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the events of the last days */
        post: operations["backfillIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integrations/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries of a connection */
        get: operations["listIntegrationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integrations/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event */
        post: operations["testIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/integrations/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a provider about credentials */
        post: operations["validateIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations */
        get: operations["listInvitations"];
        put?: never;
        /** Invite a person by mail */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an invitation again */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/leaderboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Leaderboards */
        get: operations["listLeaderboards"];
        put?: never;
        /** Create a leaderboard */
        post: operations["createLeaderboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/leaderboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a leaderboard */
        delete: operations["deleteLeaderboard"];
        options?: never;
        head?: never;
        /** Change a leaderboard */
        patch: operations["updateLeaderboard"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/leaderboards/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People of a leaderboard, the highest value first */
        get: operations["listLeaderboardEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leave the project */
        post: operations["leaveProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Members of the project */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /** Give a member another role */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Active subscriptions and trials */
        get: operations["getProjectMetricActive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/churn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Purchases that stopped to be paid for */
        get: operations["getProjectMetricChurn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/ltv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lifetime value of those who paid */
        get: operations["getProjectMetricLtv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/mrr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Monthly recurring revenue */
        get: operations["getProjectMetricMrr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/mrr-movement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How monthly recurring revenue changed */
        get: operations["getProjectMetricMrrMovement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/proceeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Net less what the stores keep */
        get: operations["getProjectMetricProceeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Share of charges that were given back */
        get: operations["getProjectMetricRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many subscriptions are still paid for */
        get: operations["getProjectMetricRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gross, refunds and net */
        get: operations["getProjectMetricRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All metrics of a window */
        get: operations["getProjectMetricSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/metrics/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trials that began, and what became of them */
        get: operations["getProjectMetricTrials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/notification-defaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How members are told */
        get: operations["getNotificationDefaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change how members are told */
        patch: operations["updateNotificationDefaults"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/notification-forwards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Addresses to which store notifications are forwarded, newest first */
        get: operations["listNotificationForwards"];
        put?: never;
        /** Forward the notifications of a store to one more address */
        post: operations["createNotificationForward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/notification-forwards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forward to an address no more */
        delete: operations["deleteNotificationForward"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/offerings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Offerings of the project */
        get: operations["listOfferings"];
        put?: never;
        /** Create an offering */
        post: operations["createOffering"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/offerings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One offering */
        get: operations["getOffering"];
        put?: never;
        post?: never;
        /** Delete an offering */
        delete: operations["deleteOffering"];
        options?: never;
        head?: never;
        /** Change an offering */
        patch: operations["updateOffering"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The project at a glance */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/overview/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The overview as it changes */
        get: operations["streamOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/payment/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where an owner connects their payment account */
        get: operations["beginPaymentConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/payment/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The connected payment account */
        get: operations["getPaymentConnection"];
        put?: never;
        post?: never;
        /** Disconnect the payment account */
        delete: operations["deletePaymentConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/placements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Placements of the project */
        get: operations["listPlacements"];
        put?: never;
        /** Create a placement */
        post: operations["createPlacement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/placements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One placement */
        get: operations["getPlacementById"];
        put?: never;
        post?: never;
        /** Delete a placement */
        delete: operations["deletePlacement"];
        options?: never;
        head?: never;
        /** Change a placement */
        patch: operations["updatePlacement"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/placements/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What came of a placement */
        get: operations["getPlacementMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/placements/fallback-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The file that apps ship with */
        get: operations["exportFallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Products of the project */
        get: operations["listProducts"];
        put?: never;
        /** Create a product */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One product */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /** Delete a product */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /** Change a product */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/products/{id}/currency-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace what a product grants */
        put: operations["setCurrencyGrants"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/products/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make products of a store */
        post: operations["importProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/products/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Store products that purchases wait for */
        get: operations["listWaitingProducts"];
        put?: never;
        /** Create the products that purchases wait for */
        post: operations["createWaitingProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/products/waiting/purchases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Purchases that wait for a store product */
        get: operations["listWaitingPurchases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/project-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The project as a file */
        get: operations["getProjectFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/project-file/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the project equal to a file */
        post: operations["applyProjectFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/project-file/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What differs from the file that was applied last */
        get: operations["getProjectFileDrift"];
        put?: never;
        post?: never;
        /** Keep the project in no file */
        delete: operations["forgetProjectFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/project-file/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What applying a file would change */
        post: operations["planProjectFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/purchases/relink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many purchases are still to be linked to their product */
        get: operations["getRelinkProgress"];
        put?: never;
        /** Link purchases to products that came later */
        post: operations["relinkPurchases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Saved queries of the project */
        get: operations["listSavedQueries"];
        put?: never;
        /** Save a query */
        post: operations["createSavedQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/queries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved query */
        delete: operations["deleteSavedQuery"];
        options?: never;
        head?: never;
        /** Change a saved query */
        patch: operations["updateSavedQuery"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/queries/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a query */
        post: operations["executeQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/queries/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tables and functions of the SQL editor */
        get: operations["getQuerySchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/refund-shield": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Settings of the refund shield */
        get: operations["getRefundShield"];
        /** Replace the settings of the refund shield */
        put: operations["putRefundShield"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/refund-shield/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the refund shield came to */
        get: operations["getRefundShieldMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/refund-shield/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the iOS store asked about refunds, newest first */
        get: operations["listRefundShieldResponses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search a project */
        get: operations["searchProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/store-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notifications of the stores, newest first */
        get: operations["listStoreEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/store-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One notification with its body */
        get: operations["getStoreEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/store-events/{id}/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Process a notification again */
        post: operations["reprocessStoreEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscribers */
        get: operations["listSubscribers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A subscriber with everything about them */
        get: operations["getSubscriber"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change attributes of a subscriber */
        patch: operations["updateSubscriberAttributes"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give or take virtual currency */
        post: operations["postCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/dsar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export or erase the data of a person */
        post: operations["openOperatorDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What flags read of one person */
        get: operations["getSubscriberEvaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/explain/{access}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why a subscriber has an access */
        get: operations["explainSubscriberAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a subscriber access without a purchase */
        post: operations["grantAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ledger of a subscriber */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to a subscriber */
        get: operations["listSubscriberEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscribers/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move a subscriber or single purchases to another subscriber */
        post: operations["transferSubscriberByOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscriptions */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/{purchaseId}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refund the current charge of a purchase */
        post: operations["refundPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/{purchaseId}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Schedule the cancellation of a subscription */
        post: operations["scheduleCancellation"];
        /** Call off the scheduled cancellation of a subscription */
        delete: operations["cancelScheduledAction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/billing-issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscriptions whose renewal could not be charged */
        get: operations["listBillingIssues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscriptions as CSV */
        get: operations["exportSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/kpis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of the subscriptions */
        get: operations["getSubscriptionFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/renewal-calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Renewals of the next 30 days */
        get: operations["getRenewalCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/subscriptions/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scheduled actions, newest first */
        get: operations["listScheduledActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/support-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Support access to the project */
        get: operations["listSupportAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/support-grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End support access at once */
        delete: operations["deleteSupportAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/test-store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the test stores sell */
        get: operations["getTestStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/test-store/purchases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Buy at a test store */
        post: operations["createTestPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transactions */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transactions/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refund one charge */
        post: operations["refundTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transactions/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transactions as CSV */
        get: operations["exportTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transactions/store-breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transactions by store */
        get: operations["getStoreBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transactions/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the stores about purchases now */
        post: operations["syncTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transactions/volume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transactions by day */
        get: operations["getTransactionVolume"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Transfer the ownership to another member */
        post: operations["transferProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transfers between subscribers */
        get: operations["listTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/transfers/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo a transfer */
        post: operations["undoTransferByOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/virtual-currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Virtual currencies, archived ones included */
        get: operations["listVirtualCurrencies"];
        put?: never;
        /** Create a virtual currency */
        post: operations["createVirtualCurrency"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/virtual-currencies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Archive a virtual currency */
        delete: operations["archiveVirtualCurrency"];
        options?: never;
        head?: never;
        /** Change a virtual currency */
        patch: operations["updateVirtualCurrency"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries to webhook endpoints */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One delivery with its attempts and its body */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-deliveries/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a dead delivery as dealt with */
        post: operations["dismissWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver the same event once more */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a dead delivery again */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver the events of a time range again */
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhook endpoints of the project */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /** Create a webhook endpoint */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook endpoint */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Delete a webhook endpoint */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change a webhook endpoint */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook endpoint another signing secret */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/projects/{projectId}/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to a webhook endpoint */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/push-devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your devices */
        get: operations["listPushDevices"];
        put?: never;
        /** Register a device */
        post: operations["createPushDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/push-devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forget a device */
        delete: operations["deletePushDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an invitation offers */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page behind the link of a mail */
        get: operations["showUnsubscribe"];
        put?: never;
        /** Stop optional mail to an address */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Access: {
            /** @description ISO 8601 */
            createdAt: string;
            description: string | null;
            displayName: string;
            id: string;
            identifier: string;
            /** @description Your own JSON, at most 16,384 characters */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Products that give it */
            productCount: number;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        AccessChange: {
            /** Format: date-time */
            at: string;
            cause: {
                kind: string;
                ref: string | null;
            };
            eventId: string;
            isActiveAfter: boolean;
            seq: number | null;
            type: string;
        };
        AccessDecision: {
            effectiveEnd: string | null;
            purchaseId: string;
            /** @description ACTIVE_BEFORE_END, GRACE_PERIOD_BEFORE_END, PAST_END, NOT_OWNED and so on */
            rule: string;
        };
        AccessEntry: {
            expiresDate: string | null;
            /** @constant */
            isActive: true;
            productIdentifier: string;
            /** @enum {string} */
            store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
        };
        AccessExplanation: {
            access: string;
            /** Format: date-time */
            at: string;
            candidates: {
                grants: boolean;
                purchase: components["schemas"]["PurchaseView"];
                /** @description ACTIVE_BEFORE_END, GRACE_PERIOD_BEFORE_END, PAST_END, NOT_OWNED and so on */
                rule: string;
            }[];
            chain: components["schemas"]["AccessChange"][];
            decidedBy: components["schemas"]["AccessDecision"] | null;
            isActive: boolean;
            subscriberId: string;
        };
        AccessRequest: {
            description?: string | null;
            displayName: string;
            /** @description Letters, digits, $, _, . and - */
            identifier: string;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
        };
        AccessToken: {
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            id: string;
            lastUsedAt: string | null;
            name: string;
            /** @description The beginning of the token */
            prefix: string;
            /** @description What it may do of what its owner may do: `read`, capabilities, or both. null = everything. */
            scopes: string[] | null;
            /** Format: date-time */
            updatedAt: string;
        };
        AccessUpdate: {
            description?: string | null;
            displayName?: string;
            /** @description Letters, digits, $, _, . and - */
            identifier?: string;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
        };
        AccountExport: {
            memberships: components["schemas"]["OwnMembership"][];
            sessions: components["schemas"]["UserSession"][];
            user: components["schemas"]["Me"];
        };
        /** @description Subscriptions that are paid for */
        ActiveSubscriptionsFigure: {
            /** @description At the end of each of the 30 days; the last one is now */
            daily: number[];
            /** @description When the first of the 30 days began */
            previous: number;
            /** @description Now */
            value: number;
        };
        AndroidCredentialsInput: {
            packageName: string;
            serviceAccount: {
                [key: string]: unknown;
            } | null;
        };
        Annotation: {
            /** Format: date-time */
            at: string;
            /** @description ISO 8601 */
            createdAt: string;
            id: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            text: string;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        AnnotationRequest: {
            /** @description ISO 8601 */
            at: string;
            text: string;
        };
        ApiKey: {
            /** @description Null: the allowed origins of the project apply */
            allowedOrigins: string[] | null;
            createdAt: string;
            environment: string;
            expiresAt: string | null;
            id: string;
            /** @enum {string} */
            kind: "pair" | "public" | "secret";
            label: string;
            lastUsedAt: string | null;
            /** @description Until then the secret before the last rotation is accepted too */
            previousUntil: string | null;
            publicKey: string | null;
            /** @description Requests that each half may make in a minute. 0: no limit. Null: the rate of the deployment */
            ratePerMinute: number | null;
            revision: number;
            revokedAt: string | null;
            secretLast4: string | null;
            updatedAt: string;
        };
        ApiKeyChange: {
            allowedOrigins?: string[] | null;
            /** @enum {string} */
            environment?: "PROD" | "STAGING" | "DEVELOPMENT";
            expiresAt?: string | null;
            label?: string;
            ratePerMinute?: number | null;
        };
        ApiKeyRotation: {
            /** @default 0 */
            overlapHours: number;
        };
        ApiKeyWithSecret: {
            /** @description Null: the allowed origins of the project apply */
            allowedOrigins: string[] | null;
            createdAt: string;
            environment: string;
            expiresAt: string | null;
            id: string;
            /** @enum {string} */
            kind: "pair" | "public" | "secret";
            label: string;
            lastUsedAt: string | null;
            /** @description Until then the secret before the last rotation is accepted too */
            previousUntil: string | null;
            publicKey: string | null;
            /** @description Requests that each half may make in a minute. 0: no limit. Null: the rate of the deployment */
            ratePerMinute: number | null;
            revision: number;
            revokedAt: string | null;
            /** @description Shown this once; null for a key that is only public */
            secret: string | null;
            secretLast4: string | null;
            updatedAt: string;
        };
        AppliedProjectFile: {
            /** @description false: there was nothing to change */
            applied: boolean;
            changes: components["schemas"]["ProjectFileChange"][];
            /** @description The version of the project that was compared */
            configVersion: number;
            counts: {
                create: number;
                delete: number;
                keepSecret: number;
                update: number;
            };
            /** @description What svc apply prints */
            lines: string[];
            /** @description The signing secrets of new webhook endpoints. They are shown once */
            secrets: components["schemas"]["ProjectFileSecret"][];
            /** @description Purchases that were recorded before one of the products, and get it now */
            waitingPurchases: number;
            /** @description What in the rules of the file is probably meant differently than it is evaluated; absent where there is nothing */
            warnings?: components["schemas"]["ProjectFileWarning"][];
        };
        Audience: {
            /** @description ISO 8601 */
            createdAt: string;
            description: string | null;
            id: string;
            /** @description All users, which cannot be changed */
            isDefault: boolean;
            /** @description How many ids its list has; 0 without a list */
            memberCount: number;
            /** @description true: the list was hashed with another master key, so nobody is found in it until it is sent again */
            membersStale?: boolean;
            name: string;
            /** @description What names it */
            references: components["schemas"]["AudienceReference"][];
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description Rules over attributes, for example {"country": "TR"}; empty = everybody */
            rules: {
                [key: string]: unknown;
            };
            /** @description ISO 8601 */
            updatedAt: string;
            /** @description What is probably meant differently than it is evaluated; absent where there is nothing */
            warnings?: components["schemas"]["RuleWarning"][];
        };
        AudienceChange: {
            description?: string | null;
            name?: string;
            /** @description Rules over attributes, for example {"country": "TR"}; empty = everybody */
            rules?: {
                [key: string]: unknown;
            };
        };
        AudienceMembers: {
            audienceId: string;
            /** @description Ids in the list, each counted once */
            members: number;
        };
        AudiencePreview: {
            /** @description Exact for at most 2000 subscribers, otherwise estimated from 2000 */
            matching: number;
            /** @description At most ten of those that match */
            sample: components["schemas"]["SampledSubscriber"][];
            total: number;
        };
        AudiencePreviewRequest: {
            /** @description Rules over attributes, for example {"country": "TR"}; empty = everybody */
            rules: {
                [key: string]: unknown;
            };
        };
        AudienceReference: {
            id: string;
            name: string;
            /** @description flag, experiment or placement */
            type: string;
        };
        AudienceRequest: {
            description?: string | null;
            name: string;
            /** @description Rules over attributes, for example {"country": "TR"}; empty = everybody */
            rules: {
                [key: string]: unknown;
            };
        };
        AuditActor: {
            email: string | null;
            id: string | null;
            /** @description `USER`, `CLI`, `SCHEDULE` or `SERVER` */
            kind: string;
        };
        AuditEntry: {
            action: string;
            actor: components["schemas"]["AuditActor"];
            /** @description The object after the change; null when it was deleted */
            after: unknown;
            at: string;
            /** @description The object before the change; null for a new one */
            before: unknown;
            id: string;
            prevHash: string;
            /** @description SHA-256 in hex of prevHash and the canonical JSON (RFC 8785) of this row without its two hashes */
            rowHash: string;
            target: {
                id: string;
                type: string;
            };
        };
        AuditProof: {
            count: number;
            /** @description The first row that was changed */
            firstBadId: string | null;
            /** @description Hash of the newest row. Keep it elsewhere to prove later that none is gone. */
            head: string;
            ok: boolean;
        };
        CancellationPreview: {
            /** @constant */
            action: "CANCEL";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            dueAt: string;
            error: string | null;
            id: string;
            purchaseId: string;
            /** @description All lines of the subscription, the named one first */
            purchaseIds: string[];
            /** @enum {string} */
            status: "PENDING" | "EXECUTED" | "CANCELLED" | "FAILED";
            /** Format: date-time */
            updatedAt: string;
        };
        CatalogOffering: {
            /** @description ISO 8601 */
            createdAt: string;
            id: string;
            identifier: string;
            isDefault: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata: {
                [key: string]: unknown;
            };
            packages: components["schemas"]["OfferingPackage"][];
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        Chart: {
            definition: string;
            filters: ("store" | "product" | "country" | "platform" | "offering" | "placement" | "variant" | "price" | "audience" | "cohort" | "environment" | "knownAt")[];
            formula: string;
            id: string;
            title: string;
            /**
             * @description USD is in micros.
             * @enum {string}
             */
            unit: "USD" | "count" | "share" | "ratio" | "ms";
            values: string[];
        };
        ChartFigures: {
            /**
             * Format: date-time
             * @description Of a chart that is not computed each time
             */
            computedAt?: string;
            currency: string;
            /** @enum {string} */
            grain: "day" | "week" | "month" | "total";
            groups?: components["schemas"]["ChartGroup"][];
            id: string;
            rate?: components["schemas"]["ReportRate"];
            series: {
                /** Format: date-time */
                start: string;
                values: components["schemas"]["ChartValues"];
            }[];
            title: string;
            totals: components["schemas"]["ChartValues"];
            /** @description What is left out for want of an exchange rate */
            unconverted: number;
            /** @description count, share, ratio, ms, or the ISO 4217 code of a currency, whose amounts are in micros */
            unit: string;
        };
        ChartGroup: {
            key: string | null;
            series: {
                /** Format: date-time */
                start: string;
                values: components["schemas"]["ChartValues"];
            }[];
            totals: components["schemas"]["ChartValues"];
        };
        ChartRow: {
            /** Format: date-time */
            at: string;
            contribution: number;
            productIdentifier: string | null;
            purchaseId: string | null;
            store: string | null;
            subscriberId: string | null;
            transactionId: string | null;
            /** @description count, share, ratio, ms, or the ISO 4217 code of a currency, whose amounts are in micros */
            unit: string;
        };
        ChartValues: {
            [key: string]: number | null;
        };
        ChartView: {
            chartId: string;
            /** @description ISO 8601 */
            createdAt: string;
            id: string;
            name: string;
            /** @description The parameters with which the chart is opened; at most 8 KiB as JSON */
            params: {
                [key: string]: unknown;
            };
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        ChartViewRequest: {
            chartId: string;
            name: string;
            /** @description The parameters with which the chart is opened; at most 8 KiB as JSON */
            params: {
                [key: string]: unknown;
            };
        };
        Cohort: {
            computedAt: string | null;
            /** @description ISO 8601 */
            createdAt: string;
            definition: components["schemas"]["CohortDefinition"];
            id: string;
            identifier: string;
            name: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            size: number | null;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        CohortAnalysis: {
            /** Format: date-time */
            computedAt: string;
            /** @constant */
            grain: "month";
            /** @description The oldest month first */
            rows: components["schemas"]["CohortRetention"][];
        };
        CohortChange: {
            definition?: components["schemas"]["CohortDefinition"];
            identifier?: string;
            name?: string;
        };
        CohortDefinition: {
            /** @description subscriber.first_seen, a type of the event feed, or a type that your apps send to POST /v1/events */
            event: string;
            filters?: components["schemas"]["CohortFilters"];
            /** @description When the event happened; any time when absent */
            within?: string | components["schemas"]["CohortWindow"];
        };
        /** @description All of them hold */
        CohortFilters: {
            /** @description Custom attributes with these values */
            attributes?: {
                [key: string]: string;
            };
            /** @description The attribute country */
            country?: string;
            /**
             * @description Of the event and of purchases; PRODUCTION when absent
             * @enum {string}
             */
            environment?: "PRODUCTION" | "SANDBOX";
            /** @enum {string} */
            platform?: "ios" | "android" | "web";
            /** @description Has a purchase of it */
            productId?: string;
            /**
             * @description Has a purchase in this store
             * @enum {string}
             */
            store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
        };
        CohortRequest: {
            definition: components["schemas"]["CohortDefinition"];
            identifier: string;
            name: string;
        };
        CohortRetention: {
            /** @description The share that paid for a subscription n months after becoming a member, from n = 0 */
            shares: number[];
            /** @description How many people became members in it */
            size: number;
            /**
             * Format: date-time
             * @description Beginning of a month in the time zone of the project
             */
            start: string;
        };
        /** @description to is not included */
        CohortWindow: {
            /** @description ISO 8601 */
            from: string;
            /** @description ISO 8601 */
            to: string;
        };
        CommissionRates: {
            rates: {
                /** @description Null: the usual rates of the store */
                ANDROID_STORE: number | null;
                /** @description Null: the usual rates of the store */
                IOS_STORE: number | null;
                /** @description Null: the usual rates of the store */
                PAYMENT: number | null;
            };
        };
        Comparison: {
            counters: components["schemas"]["ComparisonCounters"];
            differences: number;
            error: string | null;
            finishedAt: string | null;
            id: string;
            isScheduled: boolean;
            /** @description How many differences of each kind */
            kinds: {
                [key: string]: number;
            };
            rate: number;
            sample: number | null;
            skipSandbox: boolean;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
            url: string | null;
            /** @constant */
            vendor: "revenuecat";
        };
        ComparisonCounters: {
            differing: number;
            done: number;
            equal: number;
            faults: number;
            later: number;
            listed: number;
            /** @description Purchases at stores that we do not have */
            otherStores: {
                [key: string]: number;
            };
            people: number;
            refused: number;
            temporary: number;
            undecided: number;
            unknownThere: number;
            withoutId: number;
        };
        ComparisonFinding: {
            /** @description An access, or a product of a store */
            identifier: string;
            /** @enum {string} */
            kind: "ACCESS_ONLY_THERE" | "ACCESS_ONLY_HERE" | "OTHER_END" | "OTHER_PRODUCT" | "OTHER_STORE" | "PURCHASE_ONLY_THERE" | "PURCHASE_ONLY_HERE" | "OTHER_OWNER" | "OTHER_STATE" | "PERSON_UNKNOWN_THERE" | "PERSON_UNKNOWN_HERE" | "FAULT";
            ours: string;
            /** @description The id by which the vendor was asked */
            person: string;
            purchaseId: string | null;
            reason: string;
            rule: string | null;
            subscriberId: string | null;
            theirs: string;
        };
        ComparisonRequest: {
            /** @description The vendor's key. Never shown again */
            key: string;
            /** @description Requests per second. Default: 1 */
            rate?: number;
            sample?: number | null;
            /** @description Leaves sandbox purchases out. Default: true */
            skipSandbox?: boolean;
            url?: string | null;
            /** @constant */
            vendor: "revenuecat";
        };
        ComparisonSchedule: {
            /** @description ISO 8601 */
            createdAt: string;
            dailyAt: string;
            id: string;
            isEnabled: boolean;
            /** @description The end of the key */
            keyLast4: string;
            nextRunAt: string | null;
            rate: number;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            sample: number | null;
            skipSandbox: boolean;
            /** @description ISO 8601 */
            updatedAt: string;
            url: string | null;
            /** @constant */
            vendor: "revenuecat";
        };
        ComparisonScheduleRequest: {
            /** @description HH:MM, UTC. Default: 02:00 */
            dailyAt?: string;
            /** @description Default: true */
            isEnabled?: boolean;
            /** @description The vendor's key. Never shown again */
            key?: string;
            /** @description Requests per second. Default: 1 */
            rate?: number;
            sample?: number | null;
            /** @description Leaves sandbox purchases out. Default: true */
            skipSandbox?: boolean;
            url?: string | null;
            /** @constant */
            vendor: "revenuecat";
        };
        CreatedAccessToken: {
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            id: string;
            lastUsedAt: string | null;
            name: string;
            /** @description The beginning of the token */
            prefix: string;
            /** @description What it may do of what its owner may do: `read`, capabilities, or both. null = everything. */
            scopes: string[] | null;
            /** @description Shown once */
            token: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CreatedWebhookEndpoint: {
            /** @description ISO 8601 */
            createdAt: string;
            disabledReason: ("GONE" | "FAILING") | null;
            environments: ("PRODUCTION" | "SANDBOX")[];
            eventTypes: string[];
            /** @enum {string} */
            format: "standard" | "revenuecat";
            id: string;
            isEnabled: boolean;
            name: string;
            ordered: boolean;
            previousValidUntil: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description whsec_…, the key of the signatures. Shown once */
            secret: string;
            /** @description The last four characters of the signing secret */
            secretLast4: string;
            successRate24h: number | null;
            /** @description ISO 8601 */
            updatedAt: string;
            url: string;
        };
        Credits: {
            /**
             * Format: int64
             * @description Balance right after the transaction; may exceed 2^53, so read its digits as a 64-bit integer
             */
            balance: number;
            balances: {
                /**
                 * Format: int64
                 * @description It may exceed 2^53, so read its digits as a 64-bit integer
                 */
                after: number;
                /**
                 * Format: int64
                 * @description It may exceed 2^53, so read its digits as a 64-bit integer
                 */
                before: number;
            };
            code: string;
            dryRun: boolean;
            /** @description The events of the transaction */
            eventTypes: string[];
            /** @description True when the key was booked before; balance and id are the original */
            replayed: boolean;
            /** @description vtx_ id; null of a dry run */
            transactionId: string | null;
        };
        CreditsRequest: {
            /**
             * Format: int64
             * @description Within ±(2^63−1) and not 0; negative takes, positive gives. It is read from its digits
             */
            amount: number;
            /** @description Currency code */
            code: string;
            description?: string;
            /** @description Answers what would happen, and writes nothing */
            dryRun?: boolean;
            /** @description 1 to 120 characters after trimming; a key books once */
            idempotencyKey: string;
        };
        CurrencyGrant: {
            /**
             * Format: int64
             * @description It may exceed 2^53, so read its digits as a 64-bit integer
             */
            amount: number;
            currencyId: string;
            /** @enum {string} */
            grantOn: "PURCHASE" | "RENEWAL" | "BOTH";
        };
        CurrencyGrantRequest: {
            /**
             * Format: int64
             * @description At most 2^63−1; it is read from its digits
             */
            amount: number;
            currencyId: string;
            /** @enum {string} */
            grantOn: "PURCHASE" | "RENEWAL" | "BOTH";
        };
        CurrencyGrantsRequest: {
            /** @description At most 20 */
            grants: components["schemas"]["CurrencyGrantRequest"][];
        };
        /** @description A balance of a virtual currency changes. */
        CurrencyTransactionEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /**
                 * Format: int64
                 * @description Negative for what is taken away; may exceed 2^53, so read its digits as a 64-bit integer
                 */
                amount?: number;
                /**
                 * Format: int64
                 * @description After the change; may exceed 2^53, so read its digits as a 64-bit integer
                 */
                balance?: number;
                code?: string;
                /** @enum {string} */
                ledgerType?: "PURCHASE" | "SPEND" | "REFUND" | "BONUS" | "EXPIRE" | "TRANSFER_IN" | "TRANSFER_OUT";
                referenceId?: string | null;
                referenceType?: string | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "currency.transaction";
        };
        DataExport: {
            attempts: number;
            bytes: number;
            /** @enum {string} */
            columns: "svc" | "revenuecat_v5";
            error: string | null;
            files: components["schemas"]["ExportFile"][];
            finishedAt: string | null;
            /** @enum {string} */
            format: "csv" | "jsonl" | "parquet";
            from: string | null;
            id: string;
            rows: number;
            scheduleId: string | null;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "RUNNING" | "COMPLETED" | "FAILED";
            tables: ("subscribers" | "purchases" | "transactions" | "events" | "ledger")[];
            to: string;
            /** @description Rows that were made before */
            until: string;
        };
        Deleted: {
            /** @constant */
            deleted: true;
        };
        Delivery: {
            /** @description Attempts that have ended since it was made or retried */
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** @description The webhook endpoint or the integration that it goes to */
            endpointId: string;
            eventId: string | null;
            id: string;
            isTest: boolean;
            lastError: string | null;
            lastStatusCode: number | null;
            nextAttemptAt: string | null;
            seq: number | null;
            skipReason: string | null;
            /** @enum {string} */
            status: "PENDING" | "DELIVERING" | "SUCCEEDED" | "FAILED" | "DEAD" | "DISMISSED" | "SKIPPED";
            subscriberId: string | null;
            type: string;
            /** Format: date-time */
            updatedAt: string;
        };
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt began
             */
            at: string;
            durationMs: number;
            error: string | null;
            responseSnippet: string | null;
            statusCode: number | null;
        };
        DeliveryDetail: {
            /** @description Attempts that have ended since it was made or retried */
            attempts: number;
            attemptsLog: components["schemas"]["DeliveryAttempt"][];
            body: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The webhook endpoint or the integration that it goes to */
            endpointId: string;
            eventId: string | null;
            id: string;
            isTest: boolean;
            lastError: string | null;
            lastStatusCode: number | null;
            nextAttemptAt: string | null;
            seq: number | null;
            skipReason: string | null;
            /** @enum {string} */
            status: "PENDING" | "DELIVERING" | "SUCCEEDED" | "FAILED" | "DEAD" | "DISMISSED" | "SKIPPED";
            subscriberId: string | null;
            type: string;
            /** Format: date-time */
            updatedAt: string;
        };
        EditedSubscriber: {
            appUserId: string | null;
            attributes: {
                [key: string]: string;
            };
            id: string;
            /** @description Grows by 1 with every change of the dashboard */
            revision: number;
        };
        /** @description Somebody holds an access that they did not hold before. */
        EntitlementGrantedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description Access identifier, such as pro */
                access?: string;
                /**
                 * @description Present when the product of the purchase came into the catalogue only now
                 * @constant
                 */
                linked?: true;
                /** @description The purchase that gives it */
                purchaseId?: string | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entitlement.granted";
        };
        /** @description Somebody does not hold an access any more. */
        EntitlementRevokedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description Access identifier, such as pro */
                access?: string;
                /** @description The purchase that gave it; null when it belongs to somebody else now */
                purchaseId?: string | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entitlement.revoked";
        };
        EvaluatedFlag: {
            key: string;
            /** @description STATIC, TARGETING_MATCH or DEFAULT */
            reason: string;
            value: unknown;
            variant: string | null;
        };
        Evaluation: {
            attributes: {
                [key: string]: string;
            };
            /** @description What rollouts and variants are drawn with */
            bucketingId: string;
            /** @description The `svc.` values as text */
            builtIns: {
                [key: string]: string | null;
            };
            env: string;
            /** @description What the saved flags give the person now */
            flags: components["schemas"]["EvaluatedFlag"][];
            /** @description Which values of the person are in the list of ids of which audience */
            groups: components["schemas"]["EvaluationGroup"][];
            heldVariants: components["schemas"]["EvaluationVariant"][];
            /** @description After merges */
            subscriberId: string;
        };
        EvaluationGroup: {
            audience: string;
            values: string[];
        };
        EvaluationVariant: {
            experimentId: string;
            variantId: string;
        };
        /** @description What happened. `type` says which members `data` has. */
        Event: components["schemas"]["PurchaseInitialEvent"] | components["schemas"]["PurchaseTrialStartedEvent"] | components["schemas"]["PurchaseTrialConvertedEvent"] | components["schemas"]["PurchaseRenewedEvent"] | components["schemas"]["PurchaseNonRenewingEvent"] | components["schemas"]["PurchaseCancelledEvent"] | components["schemas"]["PurchaseUncancelledEvent"] | components["schemas"]["PurchaseBillingIssueEvent"] | components["schemas"]["PurchaseGracePeriodEvent"] | components["schemas"]["PurchaseRecoveredEvent"] | components["schemas"]["PurchasePausedEvent"] | components["schemas"]["PurchaseResumedEvent"] | components["schemas"]["PurchaseExpiredEvent"] | components["schemas"]["PurchaseRefundedEvent"] | components["schemas"]["PurchaseRefundReversedEvent"] | components["schemas"]["PurchaseRevokedEvent"] | components["schemas"]["PurchaseProductChangedEvent"] | components["schemas"]["PurchaseChargedEvent"] | components["schemas"]["PurchasePriceIncreaseConsentEvent"] | components["schemas"]["PurchaseExtendedEvent"] | components["schemas"]["PurchaseCorrectedEvent"] | components["schemas"]["EntitlementGrantedEvent"] | components["schemas"]["EntitlementRevokedEvent"] | components["schemas"]["SubscriberIdentifiedEvent"] | components["schemas"]["SubscriberTransferredEvent"] | components["schemas"]["CurrencyTransactionEvent"] | components["schemas"]["ExperimentExposedEvent"] | components["schemas"]["ExperimentConvertedEvent"] | components["schemas"]["FunnelSessionStartedEvent"] | components["schemas"]["FunnelSessionAdvancedEvent"] | components["schemas"]["FunnelSessionCompletedEvent"] | components["schemas"]["FunnelPaidEvent"] | components["schemas"]["FunnelClaimedEvent"] | components["schemas"]["ImportCommittedEvent"];
        EventCause: {
            detail: string | null;
            /** @enum {string} */
            kind: "RECEIPT" | "RESTORE" | "STORE_NOTIFICATION" | "API" | "DASHBOARD" | "CLI" | "SWEEP" | "RECONCILE" | "IMPORT" | "FUNNEL" | "IDENTIFY" | "TRANSFER" | "UNDO" | "SCHEDULE" | "ERASURE";
            /** @description The id of the request, the store event or the job */
            ref: string | null;
            store: ("IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL") | null;
        };
        Experiment: {
            audienceId: string | null;
            bucketBy: string | null;
            completedAt: string | null;
            /** @description ISO 8601 */
            createdAt: string;
            id: string;
            key: string;
            metrics: string[];
            mutualExclusionGroup: string | null;
            name: string;
            placementId: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            scheduledStartAt: string | null;
            scheduledStopAt: string | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "DRAFT" | "RUNNING" | "PAUSED" | "COMPLETED";
            /** @enum {string} */
            type: "FLAG" | "FUNNEL" | "OFFERING";
            /** @description ISO 8601 */
            updatedAt: string;
            /** @description In declared order, as they were sent */
            variants: unknown[];
            winnerVariantId: string | null;
        };
        ExperimentChange: {
            audienceId?: string | null;
            bucketBy?: string | null;
            /** @description Letters, digits, $, _, . and - */
            key?: string;
            /** @description Types of events that convert */
            metrics?: string[];
            mutualExclusionGroup?: string | null;
            name?: string;
            placementId?: string | null;
            scheduledStartAt?: string | null;
            scheduledStopAt?: string | null;
            /** @enum {string} */
            type?: "FLAG" | "FUNNEL" | "OFFERING";
            /** @description At least two; the first is the control */
            variants?: components["schemas"]["VariantRequest"][];
        };
        /** @description Somebody does what the experiment measures. */
        ExperimentConvertedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                experimentId?: string;
                key?: string;
                placementId?: string | null;
                variantId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "experiment.converted";
        };
        /** @description Somebody sees their variant of an experiment for the first time. */
        ExperimentExposedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                experimentId?: string;
                key?: string;
                placementId?: string | null;
                variantId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "experiment.exposed";
        };
        ExperimentRequest: {
            audienceId: string | null;
            bucketBy?: string | null;
            /** @description Letters, digits, $, _, . and - */
            key: string;
            /** @description Types of events that convert */
            metrics?: string[];
            mutualExclusionGroup?: string | null;
            name: string;
            placementId?: string | null;
            scheduledStartAt?: string | null;
            scheduledStopAt?: string | null;
            /** @enum {string} */
            type: "FLAG" | "FUNNEL" | "OFFERING";
            /** @description At least two; the first is the control */
            variants: components["schemas"]["VariantRequest"][];
        };
        ExperimentResults: {
            computedAt: string;
            experimentId: string;
            key: string;
            recommendation: {
                action: string;
                reason: string;
                sentence: string;
            };
            srm: {
                chi2: number;
                df: number;
                isMismatch: boolean;
                pValue: number;
            };
            /** @enum {string} */
            status: "DRAFT" | "RUNNING" | "PAUSED" | "COMPLETED";
            variants: components["schemas"]["VariantResult"][];
        };
        ExperimentStopRequest: {
            /** @description The value of the winner becomes a flag of the key */
            promoteToFlag?: boolean;
            winnerVariantId?: string | null;
        };
        ExportFile: {
            bytes: number;
            name: string;
            rows: number;
            sha256: string;
            /** @enum {string} */
            table: "subscribers" | "purchases" | "transactions" | "events" | "ledger";
        };
        ExportSchedule: {
            accessKeyLast4: string | null;
            /** @enum {string} */
            columns: "svc" | "revenuecat_v5";
            /** @description ISO 8601 */
            createdAt: string;
            dailyAt: string;
            endpoint: string | null;
            /** @description Exports in a row that were given up */
            failures: number;
            /** @enum {string} */
            format: "csv" | "jsonl" | "parquet";
            id: string;
            isEnabled: boolean;
            lastError: string | null;
            lastRun: components["schemas"]["LastExport"] | null;
            nextRunAt: string | null;
            region: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            tables: ("subscribers" | "purchases" | "transactions" | "events" | "ledger")[];
            /** @description s3://bucket/prefix, or a folder that the command line has named */
            to: string;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        ExportScheduleChange: {
            accessKeyId?: string;
            /**
             * @description revenuecat_v5: transactions alone, as that vendor exports them. Default: svc
             * @enum {string}
             */
            columns?: "svc" | "revenuecat_v5";
            /** @description HH:MM, UTC. Default: 02:00 */
            dailyAt?: string;
            endpoint?: string | null;
            /**
             * @description Default: csv
             * @enum {string}
             */
            format?: "csv" | "jsonl" | "parquet";
            /** @description Default: true */
            isEnabled?: boolean;
            region?: string | null;
            /** @description Never shown again */
            secretAccessKey?: string;
            /** @description Default: every table of the column set */
            tables?: ("subscribers" | "purchases" | "transactions" | "events" | "ledger")[];
            /** @description s3://bucket/prefix */
            to?: string;
        };
        ExportScheduleRequest: {
            accessKeyId?: string;
            /**
             * @description revenuecat_v5: transactions alone, as that vendor exports them. Default: svc
             * @enum {string}
             */
            columns?: "svc" | "revenuecat_v5";
            /** @description HH:MM, UTC. Default: 02:00 */
            dailyAt?: string;
            endpoint?: string | null;
            /**
             * @description Default: csv
             * @enum {string}
             */
            format?: "csv" | "jsonl" | "parquet";
            /** @description Default: true */
            isEnabled?: boolean;
            region?: string | null;
            /** @description Never shown again */
            secretAccessKey?: string;
            /** @description Default: every table of the column set */
            tables?: ("subscribers" | "purchases" | "transactions" | "events" | "ledger")[];
            /** @description s3://bucket/prefix */
            to: string;
        };
        /** @description Every failure. Act on `code`; `message` is for people. */
        Failure: {
            error: {
                /** @enum {string} */
                code: "HTTP_ERROR" | "VALIDATION_ERROR" | "INTERNAL_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT" | "NOT_IMPLEMENTED" | "RATE_LIMITED" | "PAYLOAD_TOO_LARGE" | "SUBSCRIBER_UNRESOLVABLE" | "USAGE_LIMIT_EXCEEDED" | "PROJECT_SUSPENDED" | "SUPPORT_ACCESS_READ_ONLY" | "BEARER_REQUIRED" | "INVALID_API_KEY_FORMAT" | "INVALID_API_KEY" | "API_KEY_KIND_MISMATCH" | "ORIGIN_NOT_ALLOWED" | "ROLE_REQUIRED" | "CAPABILITY_REQUIRED" | "ADMIN_EMAIL_DOMAIN" | "ADMIN_2FA_REQUIRED" | "ADMIN_SESSION_EXPIRED" | "STORE_NOT_CONFIGURED" | "RECEIPT_INVALID" | "RECEIPT_PRODUCT_UNKNOWN" | "RECEIPT_IN_USE" | "purchase_not_paid" | "STORE_API_ERROR" | "STORE_UNAVAILABLE" | "STORE_CREDENTIALS_INVALID" | "STORE_KEY_MISSING" | "STORE_KEY_WRONG_TYPE" | "STORE_KEY_INSUFFICIENT_ROLE" | "STORE_NOTIFICATION_URL_IN_USE" | "STORE_NOTIFICATION_URL_NOT_PUBLIC" | "STORE_NOTIFICATION_URL_REJECTED" | "IOS_APP_ID_MISSING" | "IOS_APP_ID_MISMATCH" | "NOTIFICATION_FORWARD_LIMIT" | "PUBSUB_API_DISABLED" | "PUBSUB_PERMISSION_MISSING" | "PUBSUB_ORG_POLICY" | "PUBSUB_TOPIC_NOT_FOUND" | "PUBSUB_ENDPOINT_NOT_HTTPS" | "PUBSUB_CONNECT_IN_PROGRESS" | "WEBHOOK_IN_PROGRESS" | "STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN" | "STORE_ID_TAKEN" | "PAYMENT_PRICE_NOT_FOUND" | "STORE_CANCEL_UNSUPPORTED" | "REVOKE_IMMEDIATELY_UNSUPPORTED" | "ios_offer_signing_unavailable" | "ios_offer_signing_failed" | "STORE_LOOKUP_UNAVAILABLE" | "PAYMENT_NOT_CONNECTED" | "PAYMENT_CUSTOMER_NOT_FOUND" | "PAYMENT_ALREADY_CONNECTED" | "PAYMENT_ALREADY_RECORDED" | "PAYMENT_TEMPORARILY_UNAVAILABLE" | "PAYMENT_IN_FLIGHT" | "PAYMENT_NOT_SETTLED_YET" | "PAYMENT_PROVIDER_REJECTED" | "PAYMENT_UNVERIFIABLE" | "INVALID_ROW_REF" | "ROOT_FUNNEL_INVALID" | "HOSTNAME_TAKEN" | "HOSTNAME_INVALID" | "CUSTOM_DOMAIN_LIMIT_REACHED" | "LEGAL_URL_IN_USE" | "ORIGIN_INVALID" | "FONT_FORMAT_UNSUPPORTED" | "FONT_FILE_TOO_LARGE" | "FONT_QUOTA_EXCEEDED" | "FONT_FAMILY_NOT_FOUND" | "ASSET_FORMAT_UNSUPPORTED" | "ASSET_FILE_TOO_LARGE" | "ASSET_QUOTA_EXCEEDED" | "ASSET_STORAGE_UNAVAILABLE" | "ASSET_INVALID_NAME" | "ASSET_PROCESSING_FAILED" | "asset_in_use" | "asset_missing" | "IMPORT_FILE_TOO_LARGE" | "IMPORT_STORAGE_UNAVAILABLE" | "IMPORT_JOB_STATE" | "IMPORT_MAPPING_INCOMPLETE" | "ANALYTICS_UNAVAILABLE" | "ANALYTICS_UNREACHABLE" | "DATABASE_UNAVAILABLE" | "CACHE_UNAVAILABLE" | "QUEUE_UNAVAILABLE" | "FEATURE_NOT_CONFIGURED" | "TELEMETRY_UNAVAILABLE" | "STALE_BATCH" | "exposure_out_of_range" | "EXPERIMENT_NOT_RUNNING" | "EXPERIMENT_STATE" | "promote_requires_flag_experiment" | "window_too_large" | "audience_in_use" | "IDENTIFIER_TAKEN" | "UNKNOWN_REFERENCES" | "CURRENCY_GRANT_INVALID" | "REFUND_NOT_POSSIBLE" | "SCHEDULED_ACTION_CONFLICT" | "QUERY_REJECTED" | "WEBHOOK_STATE" | "WEBHOOK_EVENT_EXPIRED" | "WEBHOOK_EVENT_UNMAPPABLE" | "TEST_DELIVERY_NOT_REDELIVERABLE" | "WEBHOOK_ENDPOINT_LIMIT" | "WEBHOOK_URL_REJECTED" | "INTEGRATION_ALREADY_CONNECTED" | "INTEGRATION_CREDENTIALS_REJECTED" | "COPILOT_INTENT_SETTLED" | "ASSISTANT_NOT_CONFIGURED" | "ASSISTANT_QUOTA_EXCEEDED" | "BILLING_CARD_IN_USE" | "BILLING_CARD_OPEN_INVOICE" | "BILLING_NOTHING_TO_CANCEL" | "BILLING_ALREADY_ACTIVE" | "BILLING_UPGRADE_REQUIRED" | "CONFIRM_EMAIL_MISMATCH" | "OWNS_PROJECTS" | "ALREADY_MEMBER" | "ALREADY_OWNER" | "INVITATION_NOT_SENDABLE" | "INVITATION_ALREADY_ACCEPTED" | "INVITATION_EMAIL_MISMATCH";
                /** @description Its keys depend on the code. */
                details?: {
                    [key: string]: unknown;
                };
                message: string;
            } & {
                [key: string]: unknown;
            };
        };
        FallbackExport: {
            /** @constant */
            formatVersion: 1;
            generatedAt: string;
            placements: {
                [key: string]: components["schemas"]["Placement"];
            };
            projectId: string;
        };
        FeatureFlag: {
            /** @description ISO 8601 */
            createdAt: string;
            defaultValue: unknown;
            description: string | null;
            /** @enum {string} */
            env: "PROD" | "STAGING" | "DEVELOPMENT";
            id: string;
            isEnabled: boolean;
            key: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description As they were sent */
            rules: unknown[];
            /** @enum {string} */
            type: "BOOLEAN" | "STRING" | "NUMBER" | "JSON";
            /** @description ISO 8601 */
            updatedAt: string;
            /** @description What is probably meant differently than it is evaluated; absent where there is nothing */
            warnings?: components["schemas"]["RuleWarning"][];
        };
        FeatureFlagChange: {
            /** @description Of the type of the flag */
            defaultValue?: unknown;
            description?: string | null;
            /** @enum {string} */
            env?: "PROD" | "STAGING" | "DEVELOPMENT";
            isEnabled?: boolean;
            /** @description Letters, digits, $, _, . and - */
            key?: string;
            /** @description The first that applies decides */
            rules?: components["schemas"]["FlagRuleRequest"][];
            /** @enum {string} */
            type?: "BOOLEAN" | "STRING" | "NUMBER" | "JSON";
        };
        FeatureFlagOfKey: {
            /** @description ISO 8601 */
            createdAt: string;
            description: string | null;
            environments: {
                DEVELOPMENT: components["schemas"]["FlagEnvironment"] | null;
                PROD: components["schemas"]["FlagEnvironment"] | null;
                STAGING: components["schemas"]["FlagEnvironment"] | null;
            };
            key: string;
            /** @description Another number after every change; it does not count. Send it as If-Match */
            revision: number;
            /** @enum {string} */
            type: "BOOLEAN" | "STRING" | "NUMBER" | "JSON";
            /** @description ISO 8601 */
            updatedAt: string;
        };
        FeatureFlagOfKeyRequest: {
            description?: string | null;
            /** @description An environment that is absent or null has no such flag afterwards */
            environments: {
                DEVELOPMENT?: components["schemas"]["FlagEnvironmentRequest"] | null;
                PROD?: components["schemas"]["FlagEnvironmentRequest"] | null;
                STAGING?: components["schemas"]["FlagEnvironmentRequest"] | null;
            };
            /** @enum {string} */
            type: "BOOLEAN" | "STRING" | "NUMBER" | "JSON";
        };
        FeatureFlagRequest: {
            /** @description Of the type of the flag */
            defaultValue: unknown;
            description?: string | null;
            /** @enum {string} */
            env: "PROD" | "STAGING" | "DEVELOPMENT";
            isEnabled?: boolean;
            /** @description Letters, digits, $, _, . and - */
            key: string;
            /** @description The first that applies decides */
            rules?: components["schemas"]["FlagRuleRequest"][];
            /** @enum {string} */
            type: "BOOLEAN" | "STRING" | "NUMBER" | "JSON";
        };
        FeatureFlagToggle: {
            isEnabled: boolean;
        };
        FlagEnvironment: {
            defaultValue: unknown;
            id: string;
            isEnabled: boolean;
            revision: number;
            /** @description As they were sent */
            rules: unknown[];
            /** @description What is probably meant differently than it is evaluated; absent where there is nothing */
            warnings?: components["schemas"]["RuleWarning"][];
        };
        FlagEnvironmentRequest: {
            /** @description Of the type of the flag */
            defaultValue: unknown;
            isEnabled?: boolean;
            /** @description The first that applies decides */
            rules?: components["schemas"]["FlagRuleRequest"][];
        };
        FlagRuleRequest: {
            audienceId?: string | null;
            bucketBy?: string | null;
            /** @description Rules over attributes, as in an audience */
            conditions?: unknown;
            rolloutPercentage?: number | null;
            /** @description Of the type of the flag */
            value: unknown;
        };
        /** @description An app takes over what was bought in a web funnel. */
        FunnelClaimedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                fromSubscriberId?: string | null;
                sessionId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "funnel.claimed";
        };
        FunnelDocument: {
            configFormatVersion: number;
            defaultLocale: string;
            id: string;
            /** @description The one of its locales that fits the request best */
            locale: string;
            locales: string[];
            name: string;
            offering: components["schemas"]["Offering"] | null;
            /** @description Pages with `id`, `type`, `title` by locale, `fields` and `next` */
            pages: {
                [key: string]: unknown;
            }[];
            presentedContext: components["schemas"]["PresentedContext"];
            settings: {
                [key: string]: unknown;
            };
            slug: string;
            theme: {
                [key: string]: unknown;
            };
            versionNo: number;
        };
        /** @description A visitor of a web funnel pays. */
        FunnelPaidEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                price?: {
                    amountMicros: number;
                    currency: string;
                } | null;
                sessionId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "funnel.paid";
        };
        /** @description A visitor of a web funnel comes to another page. */
        FunnelSessionAdvancedEvent: {
            /** @description Null without a subscriber */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null without a subscriber */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                funnelId?: string;
                pageId?: string | null;
                sessionId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            seq: number | null;
            subscriberId: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "funnel.session.advanced";
        };
        /** @description A visitor comes to the end of a web funnel. */
        FunnelSessionCompletedEvent: {
            /** @description Null without a subscriber */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null without a subscriber */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                funnelId?: string;
                pageId?: string | null;
                sessionId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            seq: number | null;
            subscriberId: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "funnel.session.completed";
        };
        /** @description A web funnel is opened. */
        FunnelSessionStartedEvent: {
            /** @description Null without a subscriber */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null without a subscriber */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                funnelId?: string;
                pageId?: string | null;
                sessionId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            seq: number | null;
            subscriberId: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "funnel.session.started";
        };
        /** @description What the same request without dryRun would do */
        GrantPreview: {
            access: {
                /** @description Live access by access identifier */
                after: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
                /** @description Live access by access identifier */
                before: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
            };
            balances: {
                /** @description Balance by currency code */
                after: {
                    [key: string]: number;
                };
                /** @description Balance by currency code */
                before: {
                    [key: string]: number;
                };
            };
            /** @constant */
            dryRun: true;
            eventTypes: string[];
            result: components["schemas"]["PurchaseView"];
        };
        /** @description Either productId or accessIds, each by id or identifier */
        GrantRequest: {
            accessIds?: string[];
            /** @description Answers what would happen, and writes nothing */
            dryRun?: boolean;
            expiresAt?: string | null;
            productId?: string;
            /** @description One line of at most 200 characters, for the event and the audit log */
            reason?: string;
        };
        HeldVariant: {
            /** Format: date-time */
            assignedAt: string;
            experimentId: string;
            exposedAt: string | null;
            key: string;
            variantId: string;
        };
        /** @description The purchases of an import are written. It belongs to no subscriber. */
        ImportCommittedEvent: {
            /** @description Null without a subscriber */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null without a subscriber */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                jobId?: string;
                rows?: number;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            seq: number | null;
            subscriberId: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "import.committed";
        };
        ImportCounters: {
            invalid: number;
            purchasesNew: number;
            purchasesUpdated: number;
            remaining: number;
            rows: number;
            skipped: number;
            subscribersNew: number;
            unverifiable: number;
            valid: number;
            verified: number;
            warnings: number;
        };
        ImportForecast: {
            /** @description People who would have the access now, and do not yet */
            access: components["schemas"]["ImportForecastAccess"][];
            /** @description Whether the file has more than two million people, purchases or charges, so that there are more */
            isPartial: boolean;
            /** @description New charges and refunds in production, by currency */
            money: components["schemas"]["ImportForecastMoney"][];
            people: components["schemas"]["ImportForecastPeople"];
            purchases: components["schemas"]["ImportForecastPurchases"];
            /** @description Rows without any date. What they bought is known only when the store is asked */
            toldByStore: number;
        };
        ImportForecastAccess: {
            identifier: string;
            people: number;
        };
        ImportForecastAmounts: {
            /** @description Millionths of the main unit */
            amountMicros: number;
            count: number;
        };
        ImportForecastMoney: {
            charged: components["schemas"]["ImportForecastAmounts"];
            currency: string;
            refunded: components["schemas"]["ImportForecastAmounts"];
        };
        ImportForecastPeople: {
            all: number;
            new: number;
        };
        /** @description withoutProduct: those of all three whose product the catalogue does not have */
        ImportForecastPurchases: {
            changed: number;
            new: number;
            unchanged: number;
            withoutProduct: number;
        };
        ImportJob: {
            bytes: number;
            counters: components["schemas"]["ImportCounters"];
            /** @description ISO 8601 */
            createdAt: string;
            /** @description The first 1000 rows that cannot be read, and with WARNING up to 500 of those that can and about which there is something to know: one purchase that rows give to different people. A list shows none */
            errors: components["schemas"]["ImportRowError"][];
            failure: string | null;
            fileName: string;
            fileRows: number | null;
            filesDeletedAt: string | null;
            finishedAt: string | null;
            forecast: components["schemas"]["ImportForecast"] | null;
            headers: string[];
            id: string;
            /** @enum {string} */
            kind: "HISTORY" | "ANDROID_TOKEN_ENRICHMENT";
            mapping: components["schemas"]["ImportMapping"] | null;
            options: components["schemas"]["ImportOptions"];
            preset: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            startedBy: string;
            /** @enum {string} */
            status: "PENDING_MAPPING" | "DRY_RUN_RUNNING" | "DRY_RUN_COMPLETE" | "RUNNING" | "VERIFYING" | "VERIFICATION_INCOMPLETE" | "COMPLETED" | "FAILED" | "CANCELLED" | "UNDOING";
            undone: components["schemas"]["ImportUndone"] | null;
            undoneAt: string | null;
            /** @description Products of the file that the catalogue does not have */
            unknownProducts: components["schemas"]["ImportUnknownProduct"][];
            /** @description ISO 8601 */
            updatedAt: string;
        };
        ImportMapping: {
            columns: {
                [key: string]: string;
            };
            valueMap: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        ImportMappingChange: {
            /** @description Canonical column: header of the file. Replaces all columns */
            columns?: {
                [key: string]: string;
            };
            options?: {
                /** @description Default: false */
                enrichUngroupedChains?: boolean;
                /** @description Rows that no store can be asked about too. Default: true */
                importAnchorless?: boolean;
                /** @description Default: true */
                skipSandbox?: boolean;
            };
            /** @description Value of the file: ios_store, android_store, payment or promotional */
            valueMap?: {
                store?: {
                    [key: string]: string;
                };
            };
        };
        ImportOptions: {
            enrichUngroupedChains: boolean;
            importAnchorless: boolean;
            skipSandbox: boolean;
        };
        ImportProducts: {
            /** @description Accesses that the products give and the project does not have */
            access: components["schemas"]["PlannedAccess"][];
            catalog: string | null;
            /** @description Whether nothing was created */
            isDryRun: boolean;
            products: components["schemas"]["PlannedProduct"][];
            /** @description EXISTS: the catalogue has it by now. NOT_NAMEABLE: its name can be no identifier. PRICE_NOT_FOUND: the payment provider has no such price. NO_PERIOD: the period of a subscription of the App Store is not known, so make the product by hand */
            skipped: components["schemas"]["SkippedProduct"][];
            /** @description Purchases that were recorded without these products, and get them in the background; 0 at a dry run */
            waitingPurchases: number;
        };
        ImportProductsOrder: {
            /** @description Returns what would be created, and creates nothing. Default: false */
            dryRun?: boolean;
        };
        ImportRowError: {
            column: string | null;
            /** @description The line of the file on which the row begins; the header is line 1 */
            line: number;
            message: string;
            /** @enum {string} */
            severity: "ERROR" | "WARNING";
        };
        /** @description What was taken back so far */
        ImportUndone: {
            purchasesChanged: number;
            purchasesRemoved: number;
            subscribersRemoved: number;
        };
        ImportUnknownProduct: {
            identifier: string;
            rows: number;
            store: string;
        };
        Integration: {
            /** @description ISO 8601 */
            createdAt: string;
            /** @description Event types: `*`, exact ones, or the beginning of some such as `purchase.*` */
            enabledEvents: string[];
            /** @description Event type -> name at the provider: for own types of `POST /v1/events`, and for types that the provider calls otherwise */
            eventMapping: {
                [key: string]: string;
            };
            /** @description The end of a credential */
            hint: string;
            id: string;
            includeSandbox: boolean;
            isEnabled: boolean;
            lastError: string | null;
            lastSuccessAt: string | null;
            provider: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description Names of the secret members that are saved */
            secrets: string[];
            /** @description The members of the credentials that are not secret, such as region */
            settings: {
                [key: string]: unknown;
            };
            /** @description ISO 8601 */
            updatedAt: string;
        };
        IntegrationBackfill: {
            /** @description How far back, in days */
            days: number;
        };
        IntegrationBackfillResult: {
            /** @description Deliveries that are made in the next minutes */
            queued: number;
        };
        IntegrationChange: {
            /** @description Members of the provider. They take the place of the saved ones as a whole, but a secret that is left out stays as it is saved; null removes it. */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description Event types: `*`, exact ones, or the beginning of some such as `purchase.*` */
            enabledEvents?: string[];
            /** @description Event type -> name at the provider: for own types of `POST /v1/events`, and for types that the provider calls otherwise */
            eventMapping?: {
                [key: string]: string;
            };
            includeSandbox?: boolean;
            isEnabled?: boolean;
        };
        IntegrationCheck: {
            /** @description Members of the provider; see the guide. They are encrypted, and the secret ones are never shown again. */
            credentials: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            provider: "META_CAPI" | "TIKTOK_EVENTS" | "AMPLITUDE" | "MIXPANEL" | "FIREBASE" | "APPSFLYER" | "ADJUST" | "AIRBRIDGE" | "SINGULAR" | "BRAZE" | "ONESIGNAL" | "ITERABLE" | "SLACK" | "DISCORD";
        };
        IntegrationChecked: {
            /** @constant */
            ok: true;
        };
        IntegrationInput: {
            /** @description Members of the provider; see the guide. They are encrypted, and the secret ones are never shown again. */
            credentials: {
                [key: string]: unknown;
            };
            /** @description Event types: `*`, exact ones, or the beginning of some such as `purchase.*` */
            enabledEvents: string[];
            /** @description Event type -> name at the provider: for own types of `POST /v1/events`, and for types that the provider calls otherwise */
            eventMapping?: {
                [key: string]: string;
            };
            includeSandbox?: boolean;
            isEnabled?: boolean;
            /** @enum {string} */
            provider: "META_CAPI" | "TIKTOK_EVENTS" | "AMPLITUDE" | "MIXPANEL" | "FIREBASE" | "APPSFLYER" | "ADJUST" | "AIRBRIDGE" | "SINGULAR" | "BRAZE" | "ONESIGNAL" | "ITERABLE" | "SLACK" | "DISCORD";
        };
        Invitation: {
            createdAt: string;
            /** @description `QUEUED`, `SENT`, `KEPT` (no mail server), `FAILED` or `SUPPRESSED`; null once the mail is forgotten */
            deliveryStatus: string | null;
            email: string;
            expiresAt: string;
            id: string;
            /** @description Where no mail server is configured: what to send to the person, for those who may send the invitation. It proves no address. null for everybody else, for a closed invitation, and without a master key. */
            link: string | null;
            revision: number;
            /** @enum {string} */
            role: "CUSTOMER_SUPPORT" | "GROWTH" | "DEVELOPER" | "ADMIN" | "OWNER";
            /** @enum {string} */
            state: "OPEN" | "ACCEPTED" | "REVOKED" | "EXPIRED";
            updatedAt: string;
        };
        IosCredentialsInput: {
            /** @description The numeric Apple ID of the app. Left out, it is read with the store-connect key */
            appId?: string | null;
            bundleId: string;
            inAppPurchaseKey?: components["schemas"]["IosKeyInput"];
            storeConnectKey?: components["schemas"]["IosKeyInput"];
        };
        IosKeyInput: {
            /** @description The UUID above the list of keys in App Store Connect */
            issuerId: string;
            /** @description Ten letters or digits, as App Store Connect shows them */
            keyId: string;
            /** @description The text of the .p8 file. Left out, the saved key with this key id stays */
            privateKey?: string;
        };
        Job: {
            attempts: number;
            createdAt: string;
            id: string;
            lastError: string | null;
            leasedUntil: string | null;
            maxAttempts: number;
            name: string;
            runAt: string;
            /** @enum {string} */
            state: "WAITING" | "RUNNING" | "DEAD";
        };
        LastExport: {
            bytes: number;
            finishedAt: string | null;
            id: string;
            rows: number;
            /** @enum {string} */
            status: "RUNNING" | "COMPLETED" | "FAILED";
        };
        Leaderboard: {
            computedAt: string | null;
            /** @description ISO 8601 */
            createdAt: string;
            currencyId: string | null;
            eventType: string | null;
            id: string;
            identifier: string;
            /**
             * @description currency: balances, or with a window what was earned; spend: USD micros, net; event: how often
             * @enum {string}
             */
            metric: "currency" | "spend" | "event";
            name: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description ISO 8601 */
            updatedAt: string;
            /**
             * @description Since ever, or since the beginning of the day, week (from Monday) or month in the time zone of the project
             * @enum {string}
             */
            window: "all" | "day" | "week" | "month";
        };
        LeaderboardChange: {
            currencyId?: string | null;
            eventType?: string | null;
            identifier?: string;
            /**
             * @description currency: balances, or with a window what was earned; spend: USD micros, net; event: how often
             * @enum {string}
             */
            metric?: "currency" | "spend" | "event";
            name?: string;
            /**
             * @description Since ever, or since the beginning of the day, week (from Monday) or month in the time zone of the project
             * @enum {string}
             */
            window?: "all" | "day" | "week" | "month";
        };
        LeaderboardEntry: {
            appUserId: string | null;
            /** @description 1 + the number of people with a higher value */
            rank: number;
            subscriberId: string;
            /** @description More than 0; may exceed 64 bits, so read its digits as an integer without a bound */
            value: number;
        };
        LeaderboardRequest: {
            currencyId?: string | null;
            eventType?: string | null;
            identifier: string;
            /**
             * @description currency: balances, or with a window what was earned; spend: USD micros, net; event: how often
             * @enum {string}
             */
            metric: "currency" | "spend" | "event";
            name: string;
            /**
             * @description Since ever, or since the beginning of the day, week (from Monday) or month in the time zone of the project
             * @enum {string}
             */
            window: "all" | "day" | "week" | "month";
        };
        LedgerEntry: {
            /**
             * Format: int64
             * @description Negative for what was taken; may exceed 2^53, so read its digits as a 64-bit integer
             */
            amount: number;
            /**
             * Format: int64
             * @description Balance right after the entry; may exceed 2^53, so read its digits as a 64-bit integer
             */
            balance: number;
            /** @description Currency code */
            code: string;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /** @description vtx_ id */
            id: string;
            referenceId: string | null;
            referenceType: string | null;
            /** @description PURCHASE, SPEND, REFUND, BONUS, EXPIRE, TRANSFER_IN or TRANSFER_OUT */
            type: string;
        };
        LinkedAccount: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            provider: string;
        };
        ListedDataRequest: {
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            downloadReady: boolean;
            /** @description Why it failed, or why it has not worked yet */
            error: string | null;
            /** @description When the download ends; a certificate stays */
            expiresAt: string | null;
            id: string;
            requestedBy: string;
            /** @enum {string} */
            status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
            subscriberId: string;
            /** @enum {string} */
            type: "EXPORT" | "ERASURE";
            /** Format: date-time */
            updatedAt: string;
        };
        ListedSubscriber: {
            access: string[];
            appUserId: string | null;
            /** Format: date-time */
            createdAt: string;
            deviceKey: string;
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            lifetimeSpend: {
                amountMicros: number;
                currency: string;
            };
            /** Format: date-time */
            updatedAt: string;
        };
        ListenSecret: {
            /** @description Begins with `whsec_` */
            secret: string;
        };
        Mail: {
            attempts: number;
            createdAt: string;
            expiresAt: string | null;
            id: string;
            kind: string;
            lastError: string | null;
            link: string | null;
            nextAttemptAt: string | null;
            projectId: string | null;
            sentAt: string | null;
            /** @enum {string} */
            status: "QUEUED" | "SENT" | "KEPT" | "FAILED" | "SUPPRESSED";
            subject: string;
            text: string | null;
            /**
             * @description IN_MEMORY: only the process that wrote the mail has its text. WITHHELD: its link opens something, so only `svc outbox` on the machine of the server shows it
             * @enum {string}
             */
            textState: "READABLE" | "BLANKED" | "IN_MEMORY" | "UNREADABLE" | "WITHHELD";
            to: string;
            updatedAt: string;
            userId: string | null;
        };
        Me: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            emailVerified: boolean;
            hasPassword: boolean;
            id: string;
            name: string;
            /** @description Whether the address belongs to the platform, and is verified */
            platformAdmin: boolean;
            twoFactorEnabled: boolean;
            /** Format: date-time */
            updatedAt: string;
        };
        Member: {
            createdAt: string;
            email: string;
            joinedAt: string;
            name: string;
            revision: number;
            /** @enum {string} */
            role: "CUSTOMER_SUPPORT" | "GROWTH" | "DEVELOPER" | "ADMIN" | "OWNER";
            updatedAt: string;
            userId: string;
        };
        MemberChange: {
            /** @enum {string} */
            role: "CUSTOMER_SUPPORT" | "GROWTH" | "DEVELOPER" | "ADMIN" | "OWNER";
        };
        MetricGroup: {
            key: string | null;
            series: {
                /** Format: date-time */
                start: string;
                values: components["schemas"]["MetricValues"];
            }[];
            totals: components["schemas"]["MetricValues"];
        };
        MetricSeries: {
            currency: string;
            /** @enum {string} */
            grain: "day" | "week" | "month" | "total";
            groups?: components["schemas"]["MetricGroup"][];
            rate?: components["schemas"]["ReportRate"];
            series: {
                /** Format: date-time */
                start: string;
                values: components["schemas"]["MetricValues"];
            }[];
            totals: components["schemas"]["MetricValues"];
            /** @description Money lines or purchases that are left out for want of an exchange rate */
            unconverted: number;
        };
        MetricValues: {
            [key: string]: number | null | (number | null)[];
        };
        MissingProducts: {
            /** @description Accesses that the products give and the project does not have */
            access: components["schemas"]["PlannedAccess"][];
            catalog: string | null;
            /** @description Whether nothing was created */
            isDryRun: boolean;
            products: components["schemas"]["PlannedProduct"][];
            /** @description EXISTS: the catalogue has it by now. NOT_NAMEABLE: its name can be no identifier. PRICE_NOT_FOUND: the payment provider has no such price. NO_PERIOD: the period of a subscription of the App Store is not known, so make the product by hand */
            skipped: components["schemas"]["SkippedProduct"][];
            /** @description Purchases that were recorded without these products, and get them in the background; 0 at a dry run */
            waitingPurchases: number;
        };
        MissingProductsOrder: {
            /** @description What each of the products gives. Default: nothing */
            accessIds?: string[];
            /** @description Returns what would be created, and creates nothing. Default: false */
            dryRun?: boolean;
            /** @description Default: all that purchases of people wait for, at most 1,000 */
            products?: components["schemas"]["StoreProductName"][];
        };
        MovedPurchase: {
            id: string;
            productIdentifier: string;
            status: string;
            store: string;
        };
        /** @description Monthly recurring revenue in millionths of a US dollar: of each subscription that is paid for, the price of a period, as a monthly amount */
        MrrFigure: {
            /** @description At the end of each of the 30 days; the last one is now */
            daily: number[];
            /** @description When the first of the 30 days began */
            previous: number;
            /** @description Now */
            value: number;
        };
        NewApiKey: {
            allowedOrigins?: string[] | null;
            /** @enum {string} */
            environment?: "PROD" | "STAGING" | "DEVELOPMENT";
            expiresAt?: string | null;
            /** @enum {string} */
            kind?: "pair" | "public" | "secret";
            label: string;
            ratePerMinute?: number | null;
        };
        NewInvitation: {
            email: string;
            /** @enum {string} */
            role: "CUSTOMER_SUPPORT" | "GROWTH" | "DEVELOPER" | "ADMIN" | "OWNER";
        };
        NewProject: {
            name: string;
            /** @description Lower-case letters, digits and inner dashes */
            slug?: string;
        };
        /** @description Subscribers that were created */
        NewSubscribersFigure: {
            /** @description On each of the 30 days; the last one is today so far */
            daily: number[];
            /** @description The sum of the 30 days before them */
            previous: number;
            /** @description The sum of daily */
            value: number;
        };
        NewSupportGrant: {
            hours: number;
            reason: string;
        };
        Notice: {
            body: string;
            createdAt: string;
            id: string;
            kind: string;
            projectId: string | null;
            readAt: string | null;
            title: string;
        };
        NotificationDefaults: {
            channels: {
                email: boolean;
                inapp: boolean;
                push: boolean;
            };
            kinds: {
                /** @description By mail only, at most once a day: how many rows the audit log has now, and the hash of the newest one. */
                audit_head: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A nightly comparison with another service has found differences. */
                comparison_differs: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A scheduled export of data could not be written, and was given up until its next day. */
                export_failed: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description An import has failed, or the stores could not be asked about all of it. */
                import_ended: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A connection to a provider was switched off, because nothing could be delivered to it for five days. */
                integration_disabled: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A scheduled cancellation could not be carried out at the store. */
                scheduled_action_failed: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A webhook endpoint was switched off, because nothing could be delivered to it for five days. */
                webhook_disabled: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
            };
            revision: number;
        };
        NotificationForward: {
            /** Format: date-time */
            createdAt: string;
            /** @description Attempts of the last 24 hours that failed */
            failures24h: number;
            id: string;
            lastAt: string | null;
            lastStatus: number | null;
            /**
             * @description Whose notifications are forwarded
             * @enum {string}
             */
            store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT";
            /** Format: date-time */
            updatedAt: string;
            /** @description Gets every notification byte for byte */
            url: string;
        };
        NotificationForwardRequest: {
            /**
             * @description Whose notifications are forwarded
             * @enum {string}
             */
            store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT";
            /** @description Gets every notification byte for byte */
            url: string;
        };
        NotificationPreferences: {
            channels: {
                email: boolean;
                inapp: boolean;
                push: boolean;
            };
            kinds: {
                /** @description By mail only, at most once a day: how many rows the audit log has now, and the hash of the newest one. */
                audit_head: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A nightly comparison with another service has found differences. */
                comparison_differs: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A scheduled export of data could not be written, and was given up until its next day. */
                export_failed: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description An import has failed, or the stores could not be asked about all of it. */
                import_ended: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A connection to a provider was switched off, because nothing could be delivered to it for five days. */
                integration_disabled: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A scheduled cancellation could not be carried out at the store. */
                scheduled_action_failed: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
                /** @description A webhook endpoint was switched off, because nothing could be delivered to it for five days. */
                webhook_disabled: {
                    email: boolean;
                    inapp: boolean;
                    push: boolean;
                };
            };
        };
        OfferedInvitation: {
            email: string;
            projectName: string;
            /** @enum {string} */
            role: "CUSTOMER_SUPPORT" | "GROWTH" | "DEVELOPER" | "ADMIN" | "OWNER";
            /** @enum {string} */
            state: "OPEN" | "ACCEPTED" | "REVOKED" | "EXPIRED";
        };
        Offering: {
            identifier: string;
            isDefault: boolean;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Ascending by order */
            packages: components["schemas"]["Package"][];
        };
        OfferingChange: {
            /** @description Letters, digits, $, _, . and - */
            identifier?: string;
            /** @description true moves the mark from the present default */
            isDefault?: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description At most 50. Without order: the position in the list */
            packages?: components["schemas"]["PackageRequest"][];
        };
        OfferingPackage: {
            identifier: string;
            isPromoted: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata: {
                [key: string]: unknown;
            };
            order: number;
            productId: string;
        };
        OfferingRequest: {
            /** @description Letters, digits, $, _, . and - */
            identifier: string;
            /** @description true moves the mark from the present default */
            isDefault?: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description At most 50. Without order: the position in the list */
            packages?: components["schemas"]["PackageRequest"][];
        };
        OpenDataRequest: {
            /** @description Who asks for it, as text */
            requestedBy?: string;
            /** @enum {string} */
            type: "EXPORT" | "ERASURE";
        };
        OperatorTransfer: {
            accessAfter: {
                /** @description Live access by access identifier */
                from: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
                /** @description Live access by access identifier */
                to: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
            };
            accessBefore: {
                /** @description Live access by access identifier */
                from: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
                /** @description Live access by access identifier */
                to: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
            };
            /** @description Currency code to the amount moved */
            balances: {
                [key: string]: number;
            };
            balancesAfter?: {
                from: {
                    [key: string]: number;
                };
                to: {
                    [key: string]: number;
                };
            };
            balancesBefore?: {
                from: {
                    [key: string]: number;
                };
                to: {
                    [key: string]: number;
                };
            };
            /** @description Sum over the currencies; may exceed 64 bits, so read its digits as an integer without a bound */
            creditsTransferred: number;
            dryRun: boolean;
            eventTypes?: {
                from: string[];
                to: string[];
            };
            experimentsDropped: string[];
            fromSubscriberId: string;
            purchases: components["schemas"]["MovedPurchase"][];
            toSubscriberId: string;
            transferId: string | null;
            undoableUntil: string | null;
        };
        OperatorTransferRequest: {
            /** @description Answers what would happen, and writes nothing */
            dryRun?: boolean;
            /** @description Only these move, and the source stays live */
            purchaseIds?: string[];
            /** @description The target */
            toSubscriberId: string;
        };
        Overview: {
            activeSubscriptions: components["schemas"]["ActiveSubscriptionsFigure"];
            first: components["schemas"]["OverviewFirsts"];
            /** @description What svc doctor says about the project; at most 10 s old */
            health: components["schemas"]["OverviewConcern"][];
            mrr: components["schemas"]["MrrFigure"];
            newSubscribers30d: components["schemas"]["NewSubscribersFigure"];
            revenue30d: components["schemas"]["RevenueFigure"];
            /** @description The stores that are connected or have ever notified */
            stores: components["schemas"]["StoreOverview"][];
            trials: components["schemas"]["TrialsFigure"];
        };
        OverviewConcern: {
            action: string | null;
            /** @description Which part it is about: WEBHOOKS, EXCHANGE_RATES, STORE_NOTIFICATIONS, … */
            code: string;
            /**
             * @description FAULT: something does not work. GAP: something is not set up, out of date or switched off
             * @enum {string}
             */
            kind: "FAULT" | "GAP";
            message: string;
        };
        OverviewFirsts: {
            call: string | null;
            purchase: string | null;
        };
        OwnershipTransfer: {
            userId: string;
        };
        OwnMembership: {
            /** Format: date-time */
            createdAt: string;
            projectId: string;
            projectName: string;
            role: string;
        };
        Package: {
            accessIds: string[];
            androidBasePlanId: string | null;
            androidOfferId: string | null;
            displayName: string;
            /** @description Identifier of the product */
            identifier: string;
            isPromoted: boolean;
            metadata: {
                [key: string]: unknown;
            };
            order: number;
            packageIdentifier: string;
            storeIds: components["schemas"]["StoreIds"];
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
        };
        PackageRequest: {
            /** @description Letters, digits, $, _, . and - */
            identifier: string;
            isPromoted?: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
            order?: number;
            productId: string;
        };
        Passkey: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            lastUsedAt: string | null;
            name: string;
        };
        PasskeyCreationOptions: {
            [key: string]: unknown;
        };
        PasskeyRequestOptions: {
            [key: string]: unknown;
        };
        PaymentConnection: {
            accountId: string;
            chargesEnabled: boolean;
            connectedAt: string | null;
            /** @enum {string} */
            mode: "test" | "live";
        };
        PaymentCredentialsInput: {
            /** @enum {string} */
            mode: "test" | "live";
            secretKey: string | null;
            webhookSecret: string | null;
        };
        /** @description All null for a placement that is unknown or not active */
        Placement: {
            experiment: components["schemas"]["PlacementExperiment"] | null;
            funnel: components["schemas"]["FunnelDocument"] | null;
            placement: {
                identifier: string;
                revision: number;
            } | null;
        };
        PlacementChange: {
            /** @description Letters, digits, $, _, . and - */
            identifier?: string;
            isActive?: boolean;
            name?: string;
            /** @description The first that fits decides; a row with audienceId null is the last */
            rows?: components["schemas"]["PlacementRowRequest"][];
        };
        PlacementExperiment: {
            assignedVariantId: string | null;
            bucketingId: string | null;
            id: string;
            key: string;
            variants: components["schemas"]["PlacementVariant"][];
        };
        PlacementMetrics: {
            /** @description Subscribers to whom an experiment showed a variant in it */
            exposures: number;
            purchases: number;
            /** @description How often apps asked for it */
            resolutions: number;
            /** @description Paid less refunded */
            revenue: {
                amountMicros: number;
                currency: string;
            };
        };
        PlacementOfProject: {
            /** @description ISO 8601 */
            createdAt: string;
            id: string;
            identifier: string;
            isActive: boolean;
            name: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description As they were sent */
            rows: unknown[];
            /** @description ISO 8601 */
            updatedAt: string;
        };
        PlacementRequest: {
            /** @description Letters, digits, $, _, . and - */
            identifier: string;
            isActive?: boolean;
            name: string;
            /** @description The first that fits decides; a row with audienceId null is the last */
            rows: components["schemas"]["PlacementRowRequest"][];
        };
        PlacementRowRequest: {
            audienceId: string | null;
            target: {
                /** @constant */
                type: "none";
            } | {
                funnelId: string;
                /** @constant */
                type: "funnel";
            } | {
                experimentId: string;
                /** @constant */
                type: "experiment";
            };
        };
        PlacementVariant: {
            funnel: components["schemas"]["FunnelDocument"];
            variantId: string;
            /** @description Fraction of 1 */
            weight: number;
        };
        PlannedAccess: {
            displayName: string;
            identifier: string;
        };
        PlannedProduct: {
            access: string[];
            androidBasePlanId: string | null;
            displayName: string;
            identifier: string;
            period: string | null;
            /** @description Purchases, or rows of the file, that name it */
            rows: number;
            storeIds: {
                android: string | null;
                ios: string | null;
                payment: string | null;
            };
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
        };
        PlatformMetrics: {
            /** @description Production subscriptions that give access now */
            activeSubscriptions: number;
            databaseBytes: number | null;
            projects: number;
            queueDepth: {
                DEAD: number;
                RUNNING: number;
                WAITING: number;
            };
            /** @description Of the process that answers */
            requestsPerMinute: number;
            /** @description Age of the oldest notification that waits */
            storeEventLagSeconds: number;
            subscribers: number;
            users: number;
            webhookLagSeconds: number;
        };
        Preferences: {
            locale: string;
            /** @enum {string} */
            theme: "SYSTEM" | "LIGHT" | "DARK";
            timezone: string;
        };
        /** @description Attach it to the next receipt */
        PresentedContext: {
            experimentKey: string | null;
            funnelId: string;
            funnelVersionNo: number;
            /** @description Identifier of the placement */
            placementId: string;
            placementRevision: number;
            variantId: string | null;
        };
        Product: {
            accessIds: string[];
            androidBasePlanId: string | null;
            androidOfferId: string | null;
            /** @description ISO 8601 */
            createdAt: string;
            displayName: string;
            /** @description Virtual currency that a purchase grants */
            grants: components["schemas"]["CurrencyGrant"][];
            id: string;
            identifier: string;
            isActive: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata: {
                [key: string]: unknown;
            };
            period: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            storeIds: components["schemas"]["StoreIds"];
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
            /** @description ISO 8601 */
            updatedAt: string;
        };
        ProductChange: {
            accessIds?: string[];
            androidBasePlanId?: string | null;
            androidOfferId?: string | null;
            displayName?: string;
            /** @description Letters, digits, $, _, . and - */
            identifier?: string;
            isActive?: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
            period?: string | null;
            storeIds?: components["schemas"]["StoreIdsRequest"];
            /** @enum {string} */
            type?: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
        };
        ProductImport: {
            created: components["schemas"]["Product"][];
            skipped: {
                /**
                 * @description A product has it already, the store does not list it, or the store does not tell its period: then make the product by hand, with a period
                 * @enum {string}
                 */
                reason: "EXISTS" | "NOT_FOUND" | "NO_PERIOD";
                storeId: string;
            }[];
            /** @description Purchases that were recorded before a product had their store id, and get it in the background now */
            waitingPurchases: number;
        };
        ProductImportRequest: {
            /** @enum {string} */
            store: "ios" | "android" | "payment";
            storeIds: string[];
        };
        ProductRequest: {
            accessIds?: string[];
            androidBasePlanId?: string | null;
            androidOfferId?: string | null;
            displayName: string;
            /** @description Letters, digits, $, _, . and - */
            identifier: string;
            isActive?: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata?: {
                [key: string]: unknown;
            };
            period?: string | null;
            storeIds?: components["schemas"]["StoreIdsRequest"];
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
        };
        Project: {
            allowedOrigins: string[];
            createdAt: string;
            id: string;
            logoUrl: string | null;
            name: string;
            privacyUrl: string | null;
            revision: number;
            /**
             * @description Your role in it
             * @enum {string}
             */
            role: "CUSTOMER_SUPPORT" | "GROWTH" | "DEVELOPER" | "ADMIN" | "OWNER" | "SUPPORT_READ";
            settings: components["schemas"]["ProjectSettings"];
            slug: string;
            suspendedAt: string | null;
            termsUrl: string | null;
            timezone: string;
            updatedAt: string;
        };
        ProjectChange: {
            allowedOrigins?: string[];
            logoAssetId?: string | null;
            name?: string;
            privacyUrl?: string | null;
            settings?: components["schemas"]["ProjectSettingsChange"];
            /** @description Lower-case letters, digits and inner dashes */
            slug?: string;
            termsUrl?: string | null;
            timezone?: string;
        };
        ProjectChanges: {
            /** @description Another one after every change of the project; nothing can be read from it */
            version: string;
        };
        ProjectDetails: {
            createdAt: string;
            id: string;
            /** @description API keys that are not revoked */
            keys: number;
            lastActivityAt: string | null;
            members: number;
            mrr: number | null;
            name: string;
            ownerEmail: string | null;
            settings: components["schemas"]["ProjectSettings"];
            stores: string[];
            subscribers: number;
            suspendedAt: string | null;
            tier: string | null;
            updatedAt: string;
        };
        ProjectFile: {
            configVersion: number;
            /** @description The file with format=json, else null */
            json: string | null;
            /** @description The file; null with format=json */
            yaml: string | null;
        };
        ProjectFileApplyRequest: {
            /** @description That of the plan that was looked at; 409 CONFLICT when the project has changed since */
            configVersion?: number;
            /** @description The value of each variable that a placeholder names; those of the server are never read */
            env?: {
                [key: string]: string;
            };
            /** @description The project file, YAML or JSON */
            file: string;
            /** @description The text of each file that a placeholder or pagesFile names; those of the server are never read */
            files?: {
                [key: string]: string;
            };
            /** @description Delete what the sections of the file no longer name */
            prune?: boolean;
        };
        ProjectFileChange: {
            after: unknown;
            before: unknown;
            kind: string;
            /** @description create, update, delete or keep-secret */
            op: string;
            path: string | null;
            ref: string;
        };
        ProjectFileDrift: {
            /** @description When a command applied the file last; null: the project is kept in no file */
            appliedAt: string | null;
            /** @description Whose access token applied it; null: the command ran beside the database */
            appliedBy: string | null;
            /** @description How many objects differ */
            count: number;
            /** @description The first 100 of them */
            objects: components["schemas"]["ProjectFileDrifted"][];
        };
        ProjectFileDrifted: {
            /** @description The object as the file had it, as YAML; null: the file does not have it */
            file: string | null;
            /** @description As the file names it; empty for the project itself */
            name: string;
            /** @description The object as it is now; null: it is gone */
            project: string | null;
            section: string;
        };
        ProjectFilePlan: {
            changes: components["schemas"]["ProjectFileChange"][];
            /** @description The version of the project that was compared */
            configVersion: number;
            counts: {
                create: number;
                delete: number;
                keepSecret: number;
                update: number;
            };
            /** @description What svc apply prints */
            lines: string[];
            /** @description How many problems the file has */
            problemCount: number;
            /** @description With any, nothing can be applied. The first 100, in the order of the file */
            problems: components["schemas"]["ProjectFileProblem"][];
            /** @description What in the rules of the file is probably meant differently than it is evaluated; absent where there is nothing */
            warnings?: components["schemas"]["ProjectFileWarning"][];
        };
        ProjectFilePlanRequest: {
            /** @description The value of each variable that a placeholder names; those of the server are never read */
            env?: {
                [key: string]: string;
            };
            /** @description The project file, YAML or JSON */
            file: string;
            /** @description The text of each file that a placeholder or pagesFile names; those of the server are never read */
            files?: {
                [key: string]: string;
            };
            /** @description Delete what the sections of the file no longer name */
            prune?: boolean;
        };
        ProjectFileProblem: {
            code: string;
            column: number;
            details: {
                [key: string]: unknown;
            } | null;
            line: number;
            message: string;
            path: string;
        };
        ProjectFileSecret: {
            kind: string;
            ref: string;
            secret: string;
        };
        ProjectFileWarning: {
            kind: string;
            message: string;
            path: string;
            ref: string;
        };
        ProjectSettings: {
            allowLocalStoreTesting: boolean;
            androidAcknowledge: boolean;
            /** @enum {string} */
            clawback: "none" | "available" | "full";
            eventRetentionDays: number;
            extraReservedKeys: boolean;
            holdoutPercentage: number;
            identityJwksUrl: string | null;
            /** @enum {string} */
            identityVerification: "off" | "labels";
            leaseTtlSeconds: number;
            /** @enum {string} */
            pausedCollection: "access" | "noAccess";
            providerGraceDays: number;
            /** @enum {string} */
            purchaseTransfer: "whenAnonymous" | "always" | "never";
            /** @description ISO 4217: what metrics and charts are in that name no currency */
            reportCurrency: string;
            restrictReturnUrls: boolean;
            /** @enum {string} */
            sandboxAccess: "anybody" | "allowList" | "nobody";
            sandboxTesters: string[];
            /** @enum {string} */
            unlistedSales: "ignore" | "count";
        };
        ProjectSettingsChange: {
            allowLocalStoreTesting?: boolean;
            androidAcknowledge?: boolean;
            /** @enum {string} */
            clawback?: "none" | "available" | "full";
            eventRetentionDays?: number;
            extraReservedKeys?: boolean;
            holdoutPercentage?: number;
            identityJwksUrl?: string | null;
            /** @enum {string} */
            identityVerification?: "off" | "labels";
            leaseTtlSeconds?: number;
            /** @enum {string} */
            pausedCollection?: "access" | "noAccess";
            providerGraceDays?: number;
            /** @enum {string} */
            purchaseTransfer?: "whenAnonymous" | "always" | "never";
            /** @description ISO 4217: what metrics and charts are in that name no currency */
            reportCurrency?: string;
            restrictReturnUrls?: boolean;
            /** @enum {string} */
            sandboxAccess?: "anybody" | "allowList" | "nobody";
            sandboxTesters?: string[];
            /** @enum {string} */
            unlistedSales?: "ignore" | "count";
        };
        ProjectSummary: {
            createdAt: string;
            id: string;
            lastActivityAt: string | null;
            members: number;
            mrr: number | null;
            name: string;
            ownerEmail: string | null;
            subscribers: number;
            suspendedAt: string | null;
            tier: string | null;
            updatedAt: string;
        };
        PubSubConnection: {
            /** @description Where Google pushes to; null without `PUBLIC_BASE_URL` */
            endpoint: string | null;
            /** @description When the newest notification of Google Play arrived here */
            lastMessageAt: string | null;
            /** @description As whom Google signs the pushes; null without credentials */
            serviceAccount: string | null;
            /**
             * @description `BROKEN`: something at Google is missing or differs; recreate repairs it
             * @enum {string}
             */
            status: "DISCONNECTED" | "CONNECTED" | "BROKEN";
            subscription: string | null;
            /** @description To be entered in the Play Console as the topic of the notifications */
            topic: string | null;
        };
        /** @description A renewal cannot be charged. `phase` is `GRACE` while access stays, and `RETRY` when it does not. */
        PurchaseBillingIssueEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @enum {string} */
                phase?: "GRACE" | "RETRY";
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.billing_issue";
        };
        /** @description Automatic renewal is switched off. Access stays until the end of the period. */
        PurchaseCancelledEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                endsAt?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.cancelled";
        };
        PurchaseChangeState: {
            /** @description Live access by access identifier */
            access: {
                [key: string]: components["schemas"]["AccessEntry"];
            };
            /** @description By code of the currency */
            balances: {
                [key: string]: number;
            };
            /** @description Null where there was none */
            purchase: components["schemas"]["PurchaseView"] | null;
        };
        /** @description Something is charged within a period: more seats, a proration, an item that was added by hand. */
        PurchaseChargedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @constant */
                kind?: "ADJUSTMENT";
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.charged";
        };
        /** @description Rows that were one purchase of the store are joined, or charges that were reported twice are removed. */
        PurchaseCorrectedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description Ids of transactions that do not exist any more */
                linesRemoved?: string[];
                /** @description Ids of purchases that are part of this one now */
                merged?: string[];
                transaction?: null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.corrected";
        };
        /** @description A subscription ends. */
        PurchaseExpiredEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @enum {string} */
                reason?: "UNSUBSCRIBED" | "BILLING_ERROR" | "PRICE_INCREASE" | "PRODUCT_UNAVAILABLE" | "DEVELOPER" | "REPLACED" | "PAUSED" | "UNKNOWN";
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.expired";
        };
        /** @description The store moves the end of the period without a charge. */
        PurchaseExtendedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                fromExpiresAt?: string | null;
                toExpiresAt?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.extended";
        };
        /** @description A grace period begins: access stays while the store tries to charge. */
        PurchaseGracePeriodEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                gracePeriodExpiresAt?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.grace_period";
        };
        /** @description A subscription is bought for the first time, without a trial. */
        PurchaseInitialEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                offerId?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.initial";
        };
        /** @description Something is bought once: a consumable, a lifetime product, or a grant. */
        PurchaseNonRenewingEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                quantity?: number;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.non_renewing";
        };
        /** @description A subscription of Google Play is paused. */
        PurchasePausedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                autoResumeAt?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.paused";
        };
        /** @description A higher price waits for consent, or is accepted or declined. */
        PurchasePriceIncreaseConsentEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @enum {string} */
                state?: "PENDING" | "ACCEPTED" | "DECLINED";
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.price_increase_consent";
        };
        /** @description The product changes now, or a change for the next period is announced or taken back. */
        PurchaseProductChangedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @enum {string} */
                effective?: "NOW" | "NEXT_PERIOD";
                fromProductId?: string | null;
                toProductId?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.product_changed";
        };
        /** @description A renewal that could not be charged is charged after all. */
        PurchaseRecoveredEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.recovered";
        };
        /** @description A charge is paid back, whole or in part. An earlier charge has `current` false. */
        PurchaseRefundedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description Whether it is about the current charge of the purchase */
                current?: boolean;
                /** @description A positive amount; null when the store does not give it */
                refund?: {
                    amountMicros: number;
                    currency: string;
                } | null;
                /** @description The charge; null when it has no money line */
                refundedTransactionId?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.refunded";
        };
        /** @description A refund is taken back. */
        PurchaseRefundReversedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description Whether it is about the current charge of the purchase */
                current?: boolean;
                /** @description A positive amount; null when the store does not give it */
                refund?: {
                    amountMicros: number;
                    currency: string;
                } | null;
                /** @description The charge; null when it has no money line */
                refundedTransactionId?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.refund_reversed";
        };
        /** @description Another paid period begins, also when somebody subscribes again. */
        PurchaseRenewedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description It was learned after the end had been reported, or after the end of the period */
                late?: boolean;
                /** @description The subscription had ended before */
                reactivation?: boolean;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.renewed";
        };
        /** @description A paused subscription goes on. */
        PurchaseResumedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                autoResumeAt?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.resumed";
        };
        /** @description The store or the seller takes the purchase away without a refund of it. */
        PurchaseRevokedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @enum {string} */
                reason?: "UNSUBSCRIBED" | "BILLING_ERROR" | "PRICE_INCREASE" | "PRODUCT_UNAVAILABLE" | "DEVELOPER" | "REPLACED" | "PAUSED" | "UNKNOWN";
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.revoked";
        };
        /** @description The first paid period after a trial begins. */
        PurchaseTrialConvertedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.trial_converted";
        };
        /** @description A trial begins. */
        PurchaseTrialStartedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
                trialEndsAt?: string | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.trial_started";
        };
        /** @description Automatic renewal is switched on again before the end. */
        PurchaseUncancelledEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["PurchaseChangeState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["PurchaseChangeState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                endsAt?: string | null;
                /** @description The money line that this event is about; null when no money moved */
                transaction?: components["schemas"]["Transaction"] | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "purchase.uncancelled";
        };
        PurchaseView: {
            autoRenews: boolean;
            autoResumeAt: string | null;
            cancelledAt: string | null;
            chainKey: string;
            effectiveEnd: string | null;
            environment: string;
            expiresAt: string | null;
            gracePeriodExpiresAt: string | null;
            id: string;
            isIntroOffer: boolean;
            isTrial: boolean;
            lineKey: string;
            offerId: string | null;
            /** Format: date-time */
            originalPurchaseDate: string;
            originalTransactionId: string;
            ownershipType: string;
            pendingProductId: string | null;
            /** @description The price of one period, or of the whole purchase when it has no periods */
            price: {
                amountMicros: number;
                currency: string;
            } | null;
            priceAfter: {
                /** Format: date-time */
                from: string;
                price: {
                    amountMicros: number;
                    currency: string;
                };
            } | null;
            productId: string | null;
            productIdentifier: string;
            /** Format: date-time */
            purchaseDate: string;
            quantity: number;
            refundedAt: string | null;
            status: string;
            store: string;
            /** Format: date-time */
            storeEventAt: string;
            storeProductId: string;
            storeTransactionId: string;
            subscriberId: string;
        };
        PushDevice: {
            createdAt: string;
            id: string;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            tokenLast4: string;
            updatedAt: string;
        };
        QueryRequest: {
            /** @description The values of $1, $2 …; always values, never text */
            parameters?: (string | number | boolean | null)[];
            /** @description One SELECT, or WITH and SELECT */
            sql: string;
        };
        QueryResult: {
            /** @description The names of the columns */
            columns: string[];
            elapsedMs: number;
            rowCount: number;
            /** @description Times are ISO 8601, JSON is text, money is integer micros beside its currency */
            rows: unknown[][];
            /** @description Whether there are more rows than 5000 */
            truncated: boolean;
            /** @description Their types, in the same order: text, integer, number, boolean, time or json */
            types: string[];
        };
        QuerySchema: {
            /** @description The functions that a query can call */
            functions: string[];
            tables: components["schemas"]["QueryTable"][];
        };
        QueryTable: {
            /** @description The names of the columns */
            columns: string[];
            description: string;
            name: string;
            /** @description Their types, in the same order: text, integer, number, boolean, time or json */
            types: string[];
        };
        /** @description What the same request without dryRun would do */
        RefundPreview: {
            access: {
                /** @description Live access by access identifier */
                after: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
                /** @description Live access by access identifier */
                before: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
            };
            balances: {
                /** @description Balance by currency code */
                after: {
                    [key: string]: number;
                };
                /** @description Balance by currency code */
                before: {
                    [key: string]: number;
                };
            };
            /** @constant */
            dryRun: true;
            eventTypes: string[];
            result: components["schemas"]["RefundResult"];
        };
        RefundRequest: {
            /** @description Answers what would happen, and writes nothing */
            dryRun?: boolean;
            /** @description One line of at most 200 characters, for the event and the audit log */
            reason?: string;
            /** @description All lines of the order are meant, where Google Play cannot refund one alone: a one-time order of several products, or an earlier period of a subscription with several */
            wholeOrder?: boolean;
        };
        RefundResult: {
            purchase: components["schemas"]["PurchaseView"];
            /** @description All lines that the refund concerns, the named one first */
            purchaseIds: string[];
            transaction: components["schemas"]["Transaction"];
        };
        RefundShield: {
            createdAt: string | null;
            /** @description Your customers agreed; without it nothing is answered */
            customerConsented: boolean;
            /** @description How long an answer waits */
            delayMinutes: number;
            enabled: boolean;
            /** @enum {string} */
            policy: "decline" | "grant" | "neutral";
            revision: number;
            updatedAt: string | null;
        };
        RefundShieldMetrics: {
            approved: number;
            declined: number;
            requests: number;
            /** @description Micros of the US dollar: answered charges whose refund was declined */
            savedMicros: number;
            sent: number;
        };
        RefundShieldRequest: {
            /** @description Your customers agreed; without it nothing is answered */
            customerConsented: boolean;
            /** @description How long an answer waits */
            delayMinutes: number;
            enabled: boolean;
            /** @enum {string} */
            policy: "decline" | "grant" | "neutral";
        };
        RefundShieldResponse: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            dueAt: string;
            id: string;
            outcome: string | null;
            sentAt: string | null;
            /** @enum {string} */
            status: "PENDING" | "SENT" | "FAILED" | "SKIPPED_DISABLED" | "SKIPPED_NOT_FOUND";
            subscriberId: string | null;
            /** @description The store's id of it */
            transactionId: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RelinkProgress: {
            /** @description Purchases without a product although the catalogue has it. It counts down while they are linked */
            waiting: number;
            /** @description Purchases for which the catalogue has no product: GET /products/waiting lists them. Unlisted sales are among them where the project counts them */
            withoutProduct: number;
        };
        RenewalCalendar: {
            days: components["schemas"]["RenewalDay"][];
            /** @description Renewals whose price has no exchange rate, so that amounts lack it */
            unconverted: number;
        };
        RenewalDay: {
            amountMicros: number;
            /** Format: date */
            date: string;
            renewals: number;
            /** @description Renewals of the day that amountMicros lacks */
            unconverted: number;
        };
        Replay: {
            /** @description Deliveries that are made, or will be in the next minutes */
            queued: number;
        };
        /** @description What all money was converted with; missing in an answer in USD */
        ReportRate: {
            currency: string;
            /** @description The day that it is of; as rateDate it gives the same rate again */
            date: string;
            /** @description Exactly, such as 1.0852 or 1.0852/162.03 */
            usdPerUnit: string;
        };
        /** @description Net revenue in millionths of a US dollar: charges less what was given back, each on its own day */
        RevenueFigure: {
            /** @description On each of the 30 days; the last one is today so far */
            daily: number[];
            /** @description The sum of the 30 days before them */
            previous: number;
            /** @description The sum of daily */
            value: number;
        };
        RotatedWebhookSecret: {
            /** @description Until then the secret before signs too. ISO 8601 */
            previousValidUntil: string;
            /** @description whsec_…, the key of the signatures. Shown once */
            secret: string;
        };
        RuleWarning: {
            message: string;
            path: string;
        };
        SampledSubscriber: {
            appUserId: string | null;
            deviceKey: string;
            id: string;
        };
        SavedNotificationUrl: {
            current: string | null;
            matches: boolean;
        };
        SavedProduct: {
            accessIds: string[];
            androidBasePlanId: string | null;
            androidOfferId: string | null;
            /** @description ISO 8601 */
            createdAt: string;
            displayName: string;
            /** @description Virtual currency that a purchase grants */
            grants: components["schemas"]["CurrencyGrant"][];
            id: string;
            identifier: string;
            isActive: boolean;
            /** @description Your own JSON, at most 16,384 characters */
            metadata: {
                [key: string]: unknown;
            };
            period: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            storeIds: components["schemas"]["StoreIds"];
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
            /** @description ISO 8601 */
            updatedAt: string;
            /** @description Purchases that were recorded before a product had their store id, and get it in the background now */
            waitingPurchases: number;
        };
        SavedQuery: {
            /** @description ISO 8601 */
            createdAt: string;
            id: string;
            name: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            sql: string;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        SavedQueryChange: {
            name?: string;
            /** @description One SELECT, or WITH and SELECT */
            sql?: string;
        };
        SavedQueryRequest: {
            name: string;
            /** @description One SELECT, or WITH and SELECT */
            sql: string;
        };
        ScheduledAction: {
            /** @constant */
            action: "CANCEL";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            dueAt: string;
            error: string | null;
            id: string;
            purchaseId: string;
            /** @enum {string} */
            status: "PENDING" | "EXECUTED" | "CANCELLED" | "FAILED";
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description What the same request without dryRun would do */
        SchedulePreview: {
            access: {
                /** @description Live access by access identifier */
                after: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
                /** @description Live access by access identifier */
                before: {
                    [key: string]: components["schemas"]["AccessEntry"];
                };
            };
            balances: {
                /** @description Balance by currency code */
                after: {
                    [key: string]: number;
                };
                /** @description Balance by currency code */
                before: {
                    [key: string]: number;
                };
            };
            /** @constant */
            dryRun: true;
            eventTypes: string[];
            result: components["schemas"]["CancellationPreview"];
        };
        ScheduleRequest: {
            /** @constant */
            action: "CANCEL";
            /** @description Answers what would happen, and writes nothing */
            dryRun?: boolean;
            /** @description From 60 seconds to two years from now */
            dueAt: string;
            /** @description Only for granted access: end it at dueAt */
            revokeImmediately?: boolean;
        };
        SearchHit: {
            id: string;
            /** @enum {string} */
            kind: "subscriber" | "purchase" | "transaction" | "product" | "access" | "offering" | "flag" | "experiment" | "audience" | "placement" | "funnel" | "endpoint" | "member";
            subtitle: string | null;
            title: string;
        };
        SignInOptions: {
            /** @description Whether this deployment sends mail */
            mail: boolean;
            providers: ("google" | "github" | "oidc")[];
            /** @enum {string} */
            signUp: "SETUP" | "OPEN" | "INVITATION";
        };
        SkippedProduct: {
            identifier: string;
            /** @enum {string} */
            reason: "EXISTS" | "NOT_NAMEABLE" | "PRICE_NOT_FOUND" | "NO_PERIOD";
            /** @enum {string} */
            store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
        };
        StoreApp: {
            appId: string;
            bundleId: string;
            iconUrl: string | null;
            name: string;
        };
        StoreBreakdown: {
            currency: string;
            stores: components["schemas"]["StoreShare"][];
        };
        StoreCredentials: {
            android: {
                clientEmail: string | null;
                configured: boolean;
                packageName: string | null;
                /** @description Counts the changes of these credentials; 0 when none were ever saved */
                revision: number;
            };
            ios: {
                appId: string | null;
                bundleId: string | null;
                configured: boolean;
                inAppPurchaseKey: {
                    issuerId: string | null;
                    keyId: string;
                } | null;
                /** @description Counts the changes of these credentials; 0 when none were ever saved */
                revision: number;
                storeConnectKey: {
                    issuerId: string | null;
                    keyId: string;
                } | null;
            };
            payment: {
                /** @description The connected account; null with keys of the project itself */
                accountId: string | null;
                configured: boolean;
                mode: ("test" | "live") | null;
                /** @description Counts the changes of these credentials; 0 when none were ever saved */
                revision: number;
            };
        };
        StoreEvent: {
            /** Format: date-time */
            createdAt: string;
            error: string | null;
            id: string;
            /** @description The store's own id of it */
            notificationId: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "RECEIVED" | "PROCESSING" | "PROCESSED" | "FAILED" | "IGNORED";
            store: string;
            type: string;
            /** Format: date-time */
            updatedAt: string;
        };
        StoreEventDetail: {
            /** @description As the store has sent it */
            body: string;
            /** Format: date-time */
            createdAt: string;
            error: string | null;
            id: string;
            /** @description The store's own id of it */
            notificationId: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "RECEIVED" | "PROCESSING" | "PROCESSED" | "FAILED" | "IGNORED";
            store: string;
            type: string;
            /** Format: date-time */
            updatedAt: string;
        };
        StoreIds: {
            android: string | null;
            ios: string | null;
            payment: string | null;
        };
        /** @description Each belongs to one product; an Android id to one for each base plan */
        StoreIdsRequest: {
            android?: string | null;
            ios?: string | null;
            payment?: string | null;
        };
        StoreOverview: {
            /** @description Notifications by half hour of UTC; the last is the current one */
            halfHours: number[];
            lastNotificationAt: string | null;
            medianDelayMs: number | null;
            /**
             * @description As in /apps
             * @enum {string}
             */
            status: "OK" | "INCOMPLETE" | "FAILING";
            /** @enum {string} */
            store: "ios" | "android" | "payment";
        };
        StoreProduct: {
            /** @description Of the Android store: base plans of a subscription, purchase options of a one-time product */
            basePlans: {
                id: string;
                offers: {
                    id: string;
                    status: string;
                }[];
                period: string | null;
                status: string;
            }[];
            name: string;
            /** @description ISO 8601 duration of one period */
            period: string | null;
            /** @description The store's own word, such as APPROVED, ACTIVE or ARCHIVED */
            status: string;
            storeId: string;
            /**
             * @description ONE_TIME: the store does not say whether it is used up
             * @enum {string}
             */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE" | "ONE_TIME";
        };
        StoreProductName: {
            /** @enum {string} */
            store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT";
            /** @description Its id at the store */
            storeProductId: string;
        };
        StoreShare: {
            amountMicros: number;
            store: string;
            transactions: number;
        };
        StoreStatus: {
            /** @enum {string} */
            circuit: "CLOSED" | "OPEN" | "HALF_OPEN";
            lastCallOkAt: string | null;
            lastNotificationAt: string | null;
            /** @enum {string} */
            status: "OK" | "INCOMPLETE" | "FAILING";
            /** @enum {string} */
            store: "ios" | "android" | "payment";
        };
        SubscriberAlias: {
            /** Format: date-time */
            createdAt: string;
            deviceKey: string;
            id: string;
        };
        SubscriberAttribute: {
            key: string;
            source: string;
            /** Format: date-time */
            updatedAt: string;
            value: string;
        };
        SubscriberDetails: {
            appUserId: string | null;
            attributes: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            deviceKey: string | null;
            /** Format: date-time */
            firstSeenAt: string;
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** @description Grows by 1 with every change of the dashboard */
            revision: number;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description A device is identified as a person of yours (`identify`). */
        SubscriberIdentifiedEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                appUserId?: string;
                previousAppUserId?: string | null;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subscriber.identified";
        };
        SubscriberState: {
            /** @description Live access by access identifier */
            access: {
                [key: string]: components["schemas"]["AccessEntry"];
            };
            /** @description By code of the currency */
            balances: {
                [key: string]: number;
            };
        };
        /** @description Purchases or balances move from one subscriber to another. Both get one, with the same `transferId`. */
        SubscriberTransferredEvent: {
            /** @description Null once the person was erased */
            after: components["schemas"]["SubscriberState"] | null;
            appUserId: string | null;
            /** @description Null once the person was erased */
            before: components["schemas"]["SubscriberState"] | null;
            cause: components["schemas"]["EventCause"];
            /** @description Empty once the person was erased */
            data: {
                /** @description By code of the currency */
                credits?: {
                    [key: string]: number;
                };
                fromSubscriberId?: string;
                purchaseIds?: string[];
                /** @enum {string} */
                role?: "FROM" | "TO";
                toSubscriberId?: string;
                transferId?: string;
            };
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            id: string;
            /** Format: date-time */
            occurredAt: string;
            projectId: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Without a gap for each subscriber, from 1 */
            seq: number;
            subscriberId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subscriber.transferred";
        };
        SubscriberWithAll: {
            /** @description Live access by access identifier */
            access: {
                [key: string]: components["schemas"]["AccessEntry"];
            };
            /** @description Subscribers that were merged into this one, at most 200 */
            aliases: components["schemas"]["SubscriberAlias"][];
            assignments: components["schemas"]["HeldVariant"][];
            attributes: components["schemas"]["SubscriberAttribute"][];
            balances: {
                [key: string]: number;
            };
            erased: boolean;
            mergedInto: string | null;
            /** @description Newest first, at most 500 */
            purchases: components["schemas"]["PurchaseView"][];
            subscriber: components["schemas"]["SubscriberDetails"];
        };
        SubscriptionFigures: {
            /** @description Paid subscriptions that give access */
            active: number;
            /** @description Of the subscriptions that were paid for when the 30 days of the project that end today began, the share that left since; 0 where none was */
            churn30d: number;
            /** @description In their grace period */
            grace: number;
            mrr: {
                amountMicros: number;
                currency: string;
            };
            /** @description In billing retry */
            retry: number;
            trials: number;
        };
        SupportAccess: {
            adminEmail: string;
            createdAt: string;
            expiresAt: string;
            id: string;
            reason: string;
            revision: number;
            revokedAt: string | null;
            updatedAt: string;
        };
        SupportGrant: {
            adminId: string;
            createdAt: string;
            expiresAt: string;
            id: string;
            projectId: string;
            reason: string;
            revokedAt: string | null;
            updatedAt: string;
        };
        Suspension: {
            reason: string;
        };
        SyncRequest: {
            /** @description sub_ id, label or device key; absent = every purchase of the project that is due */
            subscriberId?: string;
        };
        TestNotificationState: {
            attempts: {
                at: string;
                result: string;
            }[];
            /** @description When it arrived here; null when it did not */
            receivedAt: string | null;
            /** @enum {string} */
            status: "PENDING" | "RECEIVED" | "FAILED";
        };
        TestPurchase: {
            access: string[];
            /** @enum {string} */
            store: "ios" | "android" | "payment";
            subscriberId: string | null;
            transactionId: string;
        };
        TestStoreState: {
            /** @description Whether the test stores make purchases on this deployment */
            isSelling: boolean;
        };
        Transaction: {
            id: string;
            kind: string;
            price: {
                amountMicros: number;
                currency: string;
            } | null;
            renewalNumber: number;
            storeTransactionId: string;
            usdMicros: number | null;
        };
        TransactionItem: {
            /** Format: date-time */
            createdAt: string;
            environment: string;
            /** @description txn_ id */
            id: string;
            kind: string;
            /** Format: date-time */
            occurredAt: string;
            /** @description Negative for what was given back */
            price: {
                amountMicros: number;
                currency: string;
            } | null;
            productId: string | null;
            /** @description Of an unlisted sale: the id that its purchase gets when a product has it */
            purchaseId: string;
            store: string;
            storeTransactionId: string;
            /** @description Null for an unlisted sale */
            subscriberId: string | null;
            usdMicros: number | null;
        };
        TransactionVolume: {
            currency: string;
            days: components["schemas"]["VolumeDay"][];
        };
        TransferItem: {
            /** @description IDENTIFY, RECEIPT, RESTORE, API or FUNNEL */
            cause: string;
            /** Format: date-time */
            createdAt: string;
            fromSubscriberId: string;
            /** @description trf_ id */
            id: string;
            toSubscriberId: string;
            /** @description Null when it was undone or is too old */
            undoableUntil: string | null;
            undone: boolean;
        };
        TransferUndo: {
            /** @description Sum over the currencies; may exceed 64 bits, so read its digits as an integer without a bound */
            creditsReturned: number;
            /** @description What was spent since and could not be given back; may exceed 64 bits, so read its digits as an integer without a bound */
            creditsShortfall: number;
            purchases: components["schemas"]["MovedPurchase"][];
            restoredSubscriberId: string;
            transferId: string;
            /** @constant */
            undone: true;
        };
        /** @description Subscriptions in their trial */
        TrialsFigure: {
            /** @description At the end of each of the 30 days; the last one is now */
            daily: number[];
            /** @description When the first of the 30 days began */
            previous: number;
            /** @description Now */
            value: number;
        };
        TwoFactorSecret: {
            backupCodes: string[];
            otpauthUrl: string;
        };
        UserSession: {
            /** Format: date-time */
            createdAt: string;
            /** @description Whether this request was made with it */
            current: boolean;
            id: string;
            ip: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            updatedAt: string;
            userAgent: string;
        };
        UserSummary: {
            createdAt: string;
            email: string;
            emailVerified: boolean;
            id: string;
            lastSeenAt: string | null;
            projects: number;
            twoFactorEnabled: boolean;
            updatedAt: string;
        };
        VariantRequest: {
            id: string;
            name: string;
            /** @description FLAG: any JSON; OFFERING: an identifier; FUNNEL: {"funnelId"} */
            value: unknown;
            /** @description Fraction of 1 */
            weight: number;
        };
        VariantResult: {
            /** @description Conversions / exposures */
            conversionRate: number;
            conversions: number;
            expectedLoss: number | null;
            exposures: number;
            /** @description Of the conversion rate */
            interval95: number[];
            name: string;
            probabilityBest: number | null;
            pValue: number | null;
            revenue: {
                amountMicros: number;
                currency: string;
            };
            /** @description `__holdout__`: those held out of all experiments */
            variantId: string;
            weight: number;
        };
        VirtualCurrency: {
            archivedAt: string | null;
            clawback: ("none" | "available" | "full") | null;
            code: string;
            /** @description ISO 8601 */
            createdAt: string;
            /** @description Subscribers with a balance above 0 */
            holders: number;
            id: string;
            name: string;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description Sum of all balances; may exceed 64 bits, so read its digits as an integer without a bound */
            total: number;
            /** @description ISO 8601 */
            updatedAt: string;
        };
        VirtualCurrencyChange: {
            clawback?: ("none" | "available" | "full") | null;
            /** @description Letters, digits, $, _, . and - */
            code?: string;
            name?: string;
        };
        VirtualCurrencyRequest: {
            clawback?: ("none" | "available" | "full") | null;
            /** @description Letters, digits, $, _, . and - */
            code: string;
            name: string;
        };
        VolumeDay: {
            amountMicros: number;
            /** Format: date */
            date: string;
            transactions: number;
        };
        WaitingProduct: {
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            people: number;
            period: string | null;
            /** @description Purchases of people */
            purchases: number;
            /** @description Unlisted sales: nobody of the project made them */
            sales: number;
            /**
             * @description MISSING: the catalogue has no product with this id. LINKING: it has one now, and the purchases get it in the background. OUTSIDE: only sales outside the catalogue, which the project ignores, have it
             * @enum {string}
             */
            state: "MISSING" | "LINKING" | "OUTSIDE";
            /** @enum {string} */
            store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT";
            /** @description With the base plan for Google Play: pro:monthly */
            storeProductId: string;
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
            /** @description Transactions in production whose amount is not known in dollars */
            unconverted: number;
            /** @description What was charged less what was given back, in production, of the amounts known in dollars */
            usdMicros: number;
        };
        WaitingPurchase: {
            appUserId: string | null;
            /** @enum {string} */
            environment: "PRODUCTION" | "SANDBOX";
            /** @description pur_ id; of an unlisted sale the id that its purchase gets */
            id: string;
            /** @description The product that the purchase has now; only earlier charges of it wait then */
            productId: string | null;
            /** Format: date-time */
            purchaseDate: string;
            /** Format: date-time */
            recordedAt: string;
            status: string;
            /** @description Null for an unlisted sale */
            subscriberId: string | null;
            /** @enum {string} */
            type: "SUBSCRIPTION" | "CONSUMABLE" | "NON_CONSUMABLE";
        };
        WebhookEndpoint: {
            /** @description ISO 8601 */
            createdAt: string;
            disabledReason: ("GONE" | "FAILING") | null;
            environments: ("PRODUCTION" | "SANDBOX")[];
            eventTypes: string[];
            /** @enum {string} */
            format: "standard" | "revenuecat";
            id: string;
            isEnabled: boolean;
            name: string;
            ordered: boolean;
            previousValidUntil: string | null;
            /** @description Grows by 1 with every change; send it as If-Match */
            revision: number;
            /** @description The last four characters of the signing secret */
            secretLast4: string;
            successRate24h: number | null;
            /** @description ISO 8601 */
            updatedAt: string;
            url: string;
        };
        WebhookEndpointChange: {
            authorization?: string | null;
            /** @description Default: both */
            environments?: ("PRODUCTION" | "SANDBOX")[];
            /** @description *, event types, or beginnings of them such as purchase.* */
            eventTypes?: string[];
            /**
             * @description revenuecat: for a receiver that was written for that vendor. Default: standard
             * @enum {string}
             */
            format?: "standard" | "revenuecat";
            /** @description Default: true */
            isEnabled?: boolean;
            /** @description Each endpoint of a project has another */
            name?: string;
            /** @description One delivery after the other for each subscriber, in the order of seq. Default: false */
            ordered?: boolean;
            /** @description https, public, without secrets */
            url?: string;
        };
        WebhookEndpointRequest: {
            authorization?: string | null;
            /** @description Default: both */
            environments?: ("PRODUCTION" | "SANDBOX")[];
            /** @description *, event types, or beginnings of them such as purchase.* */
            eventTypes: string[];
            /**
             * @description revenuecat: for a receiver that was written for that vendor. Default: standard
             * @enum {string}
             */
            format?: "standard" | "revenuecat";
            /** @description Default: true */
            isEnabled?: boolean;
            /** @description Each endpoint of a project has another */
            name: string;
            /** @description One delivery after the other for each subscriber, in the order of seq. Default: false */
            ordered?: boolean;
            /** @description https, public, without secrets */
            url: string;
        };
    };
    responses: {
        /** @description The store or provider answered with an error. */
        BadGateway: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request is not as described; the message names what to change. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request collides with the current state, or its Idempotency-Key is still in use. */
        Conflict: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The key is of the other kind, or may not do that. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description What was asked for is no longer kept. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description A fault of the server; the request id finds it in the log. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is nothing with that id or address; the message names it. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Reserved. */
        NotImplemented: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is over 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The limit of the plan or storage is reached. */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Something must be set up first. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Too many requests; Retry-After says when to go on. */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body did not arrive within 10 seconds. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The API key is missing, malformed, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Trouble of the deployment; the same request will work later. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Cannot be carried out as sent, such as an Idempotency-Key used with another body before. */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
        IdempotencyKey: string;
        /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
        IfMatch: string;
        /** @description ETags that the caller holds, or `*`. */
        IfNoneMatch: string;
        /** @description Names the request in answer and log; another form is replaced. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Differs between subscribers and with the answer. */
        ETag: string;
        /** @description `<key>:<variantId>`, when the answer came through an experiment. */
        Experiment: string;
        /** @description Present when an earlier request with the same Idempotency-Key did the work. */
        IdempotentReplay: "true";
        /** @description The id of the request in the log. */
        RequestId: string;
        /** @description Seconds until the same request is worth another try. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPlatformAuditLog: {
        parameters: {
            query?: {
                /** @description An action such as `flag.update`, or `flag` for all actions on flags */
                action?: string;
                /** @description `USER`, `CLI`, `SCHEDULE`, the id of a user, or their mail address */
                actor?: string;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description Only rows of this time or later */
                from?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description The id of an object, or a type such as `flag` */
                target?: string;
                /** @description Only rows before this time */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["AuditEntry"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this name */
                name?: string;
                /** @description Only those in this state */
                state?: "WAITING" | "RUNNING" | "DEAD";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Job"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getPlatformMetrics: {
        parameters: {
            query?: {
                /** @description The first day or instant that counts */
                from?: string;
                /** @description The last day or instant that counts */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlatformMetrics"];
                    };
                };
            };
        };
    };
    listOutbox: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this status */
                status?: "QUEUED" | "SENT" | "KEPT" | "FAILED" | "SUPPRESSED";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Mail"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listAllProjects: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those in which this text occurs */
                q?: string;
                /** @description Only projects that are suspended, or only those that are not */
                suspended?: "true" | "false";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ProjectSummary"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getAnyProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetails"];
                    };
                };
            };
        };
    };
    createSupportGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSupportGrant"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SupportGrant"];
                    };
                };
            };
        };
    };
    suspendProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Suspension"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetails"];
                    };
                };
            };
        };
    };
    unsuspendProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetails"];
                    };
                };
            };
        };
    };
    listSupportGrants: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["SupportGrant"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    deleteSupportGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those in which this text occurs */
                q?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["UserSummary"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserSummary"];
                    };
                };
            };
        };
    };
    signOutUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            sessions: number;
                        };
                    };
                };
            };
        };
    };
    startOAuth: {
        parameters: {
            query?: {
                /** @description The token of the invitation that the person follows */
                invitationToken?: string;
                /** @description The page of the dashboard to open afterwards */
                page?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The provider of the sign-in: `google`, `github` or `oidc` */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishOAuth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The provider of the sign-in: `google`, `github` or `oidc` */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInOptions"];
                    };
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: {
                        authenticatorAttachment?: string;
                        clientExtensionResults?: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            authenticatorData: string;
                            clientDataJSON: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            user: components["schemas"]["Me"];
                        };
                    };
                };
            };
        };
    };
    getPasskeyRequestOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyRequestOptions"];
                    };
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            accepted: true;
                        };
                    };
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            next: "SIGN_IN";
                        };
                    };
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            next: ("TWO_FACTOR" | "VERIFY_EMAIL") | null;
                            user: components["schemas"]["Me"] | null;
                        };
                    };
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            signedOut: true;
                        };
                    };
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    invitationToken?: string;
                    name: string;
                    password: string;
                    setupToken?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @enum {string} */
                            next: "VERIFY_EMAIL" | "SIGN_IN";
                        };
                    };
                };
            };
        };
    };
    giveSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    backupCode?: string;
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            user: components["schemas"]["Me"];
                        };
                    };
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            next: "SIGN_IN";
                        };
                    };
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            accepted: true;
                        };
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                    };
                };
            };
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    confirmEmail: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                    };
                };
            };
        };
    };
    listLinkedAccounts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["LinkedAccount"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    linkAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The provider of the sign-in: `google`, `github` or `oidc` */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                    };
                };
            };
        };
    };
    unlinkAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The provider of the sign-in: `google`, `github` or `oidc` */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    exportMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountExport"];
                    };
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Passkey"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: {
                        authenticatorAttachment?: string;
                        clientExtensionResults?: {
                            [key: string]: unknown;
                        };
                        id: string;
                        rawId: string;
                        response: {
                            attestationObject: string;
                            authenticatorData?: string;
                            clientDataJSON: string;
                            publicKey?: string | null;
                            publicKeyAlgorithm?: number;
                            transports?: string[];
                        };
                        /** @constant */
                        type: "public-key";
                    };
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkey"];
                    };
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    getPasskeyCreationOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyCreationOptions"];
                    };
                };
            };
        };
    };
    setPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword?: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            changed: true;
                        };
                    };
                };
            };
        };
    };
    getPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Preferences"];
                    };
                };
            };
        };
    };
    updatePreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    locale?: string;
                    /** @enum {string} */
                    theme?: "SYSTEM" | "LIGHT" | "DARK";
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Preferences"];
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["UserSession"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listAccessTokens: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["AccessToken"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Absent: in 90 days. null: the token has no end. */
                    expiresAt?: string | null;
                    name: string;
                    /** @description `read` for every GET and no change, or a list of capabilities. Absent: everything that its owner may do. */
                    scopes?: "read" | string[] | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedAccessToken"];
                    };
                };
            };
        };
    };
    deleteAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    renewBackupCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            backupCodes: string[];
                        };
                    };
                };
            };
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            enabled: boolean;
                        };
                    };
                };
            };
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            enabled: boolean;
                        };
                    };
                };
            };
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorSecret"];
                    };
                };
            };
        };
    };
    listNotices: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Notice"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    readNotice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Notice"];
                    };
                };
            };
        };
    };
    getNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotificationPreferences"];
                    };
                };
            };
        };
    };
    updateNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    channels?: {
                        email?: boolean;
                        inapp?: boolean;
                        push?: boolean;
                    };
                    kinds?: {
                        /** @description By mail only, at most once a day: how many rows the audit log has now, and the hash of the newest one. */
                        audit_head?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A nightly comparison with another service has found differences. */
                        comparison_differs?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A scheduled export of data could not be written, and was given up until its next day. */
                        export_failed?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description An import has failed, or the stores could not be asked about all of it. */
                        import_ended?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A connection to a provider was switched off, because nothing could be delivered to it for five days. */
                        integration_disabled?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A scheduled cancellation could not be carried out at the store. */
                        scheduled_action_failed?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A webhook endpoint was switched off, because nothing could be delivered to it for five days. */
                        webhook_disabled?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotificationPreferences"];
                    };
                };
            };
        };
    };
    readAllNotices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            read: number;
                        };
                    };
                };
            };
        };
    };
    testNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            email: boolean;
                            inapp: boolean;
                            push: boolean;
                        };
                    };
                };
            };
        };
    };
    countUnreadNotices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            count: number;
                        };
                    };
                };
            };
        };
    };
    completePaymentConnection: {
        parameters: {
            query?: {
                /** @description The code that the provider sends back */
                code?: string;
                /** @description What svc gave to the provider at the beginning */
                state?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Project"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            apiKey: {
                                /** @description Null: the allowed origins of the project apply */
                                allowedOrigins: string[] | null;
                                createdAt: string;
                                environment: string;
                                expiresAt: string | null;
                                id: string;
                                /** @enum {string} */
                                kind: "pair" | "public" | "secret";
                                label: string;
                                lastUsedAt: string | null;
                                /** @description Until then the secret before the last rotation is accepted too */
                                previousUntil: string | null;
                                publicKey: string | null;
                                /** @description Requests that each half may make in a minute. 0: no limit. Null: the rate of the deployment */
                                ratePerMinute: number | null;
                                revision: number;
                                revokedAt: string | null;
                                secret: string;
                                secretLast4: string | null;
                                updatedAt: string;
                            };
                            project: components["schemas"]["Project"];
                        };
                    };
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"];
                    };
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"];
                    };
                };
            };
        };
    };
    listAccess: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Access"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Access"];
                    };
                };
            };
        };
    };
    getAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Access"];
                    };
                };
            };
        };
    };
    deleteAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccessUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Access"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ApiKey"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithSecret"];
                    };
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the API key (`key_…`) */
                keyId: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the API key (`key_…`) */
                keyId: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the API key (`key_…`) */
                keyId: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithSecret"];
                    };
                };
            };
        };
    };
    listStoreApps: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["StoreStatus"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listStoreCatalog: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description The store */
                store: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["StoreProduct"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getPubSubConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PubSubConnection"];
                    };
                };
            };
        };
    };
    disconnectPubSub: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PubSubConnection"];
                    };
                };
            };
        };
    };
    connectPubSub: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description A topic that exists, as `projects/PROJECT/topics/NAME` or as its name. Left out, the project gets its own */
                    existingTopic?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PubSubConnection"];
                    };
                };
            };
        };
    };
    recreatePubSub: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PubSubConnection"];
                    };
                };
            };
        };
    };
    rotatePubSub: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PubSubConnection"];
                    };
                };
            };
        };
    };
    testPubSub: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PubSubConnection"];
                    };
                };
            };
        };
    };
    lookUpIosApp: {
        parameters: {
            query: {
                /** @description The bundle id of an app in the App Store */
                bundleId: string;
                /** @description The store of that country; default us */
                country?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreApp"];
                    };
                };
            };
        };
    };
    getIosNotificationUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            production: components["schemas"]["SavedNotificationUrl"];
                            sandbox: components["schemas"]["SavedNotificationUrl"];
                            /** @description Ours; null while PUBLIC_BASE_URL is not set */
                            url: string | null;
                        };
                    };
                };
            };
        };
    };
    setIosNotificationUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    environment: "production" | "sandbox" | "both";
                    /** @description Whether another address is replaced */
                    replaceExisting?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            applied: {
                                current: string;
                                /** @enum {string} */
                                environment: "production" | "sandbox";
                                previous: string | null;
                            }[];
                            url: string;
                        };
                    };
                };
            };
        };
    };
    requestIosTestNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    environment: "production" | "sandbox";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            expiresAt: string;
                            token: string;
                        };
                    };
                };
            };
        };
    };
    getIosTestNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description The token of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TestNotificationState"];
                    };
                };
            };
        };
    };
    listAudiences: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Audience"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AudienceRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Audience"];
                    };
                };
            };
        };
    };
    getAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Audience"];
                    };
                };
            };
        };
    };
    deleteAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AudienceChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Audience"];
                    };
                };
            };
        };
    };
    putAudienceMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AudienceMembers"];
                    };
                };
            };
        };
    };
    previewAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AudiencePreviewRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AudiencePreview"];
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description An action such as `flag.update`, or `flag` for all actions on flags */
                action?: string;
                /** @description `USER`, `CLI`, `SCHEDULE`, the id of a user, or their mail address */
                actor?: string;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description Only rows of this time or later */
                from?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description The id of an object, or a type such as `flag` */
                target?: string;
                /** @description Only rows before this time */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["AuditEntry"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    proveAuditLog: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditProof"];
                    };
                };
            };
        };
    };
    getProjectChanges: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectChanges"];
                    };
                };
            };
        };
    };
    listCharts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Chart"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getChart: {
        parameters: {
            query?: {
                /** @description The name or id of an audience: only purchases of those who are in it now. */
                audience?: string;
                /** @description The identifier or id of a cohort: only purchases of its members. */
                cohort?: string;
                /** @description One or more of the countries of subscribers, with commas between; an empty one stands for what names none. */
                country?: string;
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform" | "offering" | "placement" | "variant" | "price";
                /** @description A date, with the whole of its day, or a time: only what was known by then counts. */
                knownAt?: string;
                /** @description One or more of the offerings that purchases were made from, with commas between; an empty one stands for what names none. */
                offering?: string;
                /** @description One or more of the placements that purchases were made in, with commas between; an empty one stands for what names none. */
                placement?: string;
                /** @description One or more of the platforms of subscribers, with commas between; an empty one stands for what names none. */
                platform?: string;
                /** @description One or more of the prices of charges, such as 9.99 EUR, with commas between; an empty one stands for what names none. */
                price?: string;
                /** @description One or more of the identifiers of products, with commas between; an empty one stands for what names none. */
                product?: string;
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description One or more of IOS_STORE, ANDROID_STORE, PAYMENT, MANUAL, with commas between; an empty one stands for what names none. */
                store?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
                /** @description One or more of the variants of experiments that purchases were made in, such as paywall:b, with commas between; an empty one stands for what names none. */
                variant?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of a chart, as the list of charts gives it */
                chartId: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChartFigures"];
                    };
                };
            };
        };
    };
    exportChart: {
        parameters: {
            query?: {
                /** @description The name or id of an audience: only purchases of those who are in it now. */
                audience?: string;
                /** @description The identifier or id of a cohort: only purchases of its members. */
                cohort?: string;
                /** @description One or more of the countries of subscribers, with commas between; an empty one stands for what names none. */
                country?: string;
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description The format of the answer */
                format?: "csv";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform" | "offering" | "placement" | "variant" | "price";
                /** @description A date, with the whole of its day, or a time: only what was known by then counts. */
                knownAt?: string;
                /** @description One or more of the offerings that purchases were made from, with commas between; an empty one stands for what names none. */
                offering?: string;
                /** @description One or more of the placements that purchases were made in, with commas between; an empty one stands for what names none. */
                placement?: string;
                /** @description One or more of the platforms of subscribers, with commas between; an empty one stands for what names none. */
                platform?: string;
                /** @description One or more of the prices of charges, such as 9.99 EUR, with commas between; an empty one stands for what names none. */
                price?: string;
                /** @description One or more of the identifiers of products, with commas between; an empty one stands for what names none. */
                product?: string;
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description One or more of IOS_STORE, ANDROID_STORE, PAYMENT, MANUAL, with commas between; an empty one stands for what names none. */
                store?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
                /** @description One or more of the variants of experiments that purchases were made in, such as paywall:b, with commas between; an empty one stands for what names none. */
                variant?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of a chart, as the list of charts gives it */
                chartId: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table as CSV (RFC 4180), with a header row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listChartRows: {
        parameters: {
            query: {
                /** @description The name or id of an audience: only purchases of those who are in it now. */
                audience?: string;
                /** @description The identifier or id of a cohort: only purchases of its members. */
                cohort?: string;
                /** @description One or more of the countries of subscribers, with commas between; an empty one stands for what names none. */
                country?: string;
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description The key of the group, empty for the group without a key. It goes with `groupBy`. */
                group?: string;
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform" | "offering" | "placement" | "variant" | "price";
                /** @description A date, with the whole of its day, or a time: only what was known by then counts. */
                knownAt?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description One or more of the offerings that purchases were made from, with commas between; an empty one stands for what names none. */
                offering?: string;
                /** @description One or more of the placements that purchases were made in, with commas between; an empty one stands for what names none. */
                placement?: string;
                /** @description One or more of the platforms of subscribers, with commas between; an empty one stands for what names none. */
                platform?: string;
                /** @description One or more of the prices of charges, such as 9.99 EUR, with commas between; an empty one stands for what names none. */
                price?: string;
                /** @description One or more of the identifiers of products, with commas between; an empty one stands for what names none. */
                product?: string;
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description The start of the cell, as the chart tells it */
                start: string;
                /** @description One or more of IOS_STORE, ANDROID_STORE, PAYMENT, MANUAL, with commas between; an empty one stands for what names none. */
                store?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
                /** @description The name of the value; a chart with one value needs none. */
                value?: string;
                /** @description One or more of the variants of experiments that purchases were made in, such as paywall:b, with commas between; an empty one stands for what names none. */
                variant?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of a chart, as the list of charts gives it */
                chartId: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ChartRow"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listAnnotations: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Annotation"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createAnnotation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Annotation"];
                    };
                };
            };
        };
    };
    deleteAnnotation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listChartViews: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ChartView"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createChartView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChartViewRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChartView"];
                    };
                };
            };
        };
    };
    deleteChartView: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listCohorts: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Cohort"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createCohort: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CohortRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cohort"];
                    };
                };
            };
        };
    };
    deleteCohort: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateCohort: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CohortChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cohort"];
                    };
                };
            };
        };
    };
    analyseCohort: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CohortAnalysis"];
                    };
                };
            };
        };
    };
    listCohortMembers: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ListedSubscriber"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    putCommissionRates: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rates: {
                        ANDROID_STORE?: number | null;
                        IOS_STORE?: number | null;
                        PAYMENT?: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CommissionRates"];
                    };
                };
            };
        };
    };
    listComparisons: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Comparison"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    startComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComparisonRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Comparison"];
                    };
                };
            };
        };
    };
    getComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Comparison"];
                    };
                };
            };
        };
    };
    cancelComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Comparison"];
                    };
                };
            };
        };
    };
    listComparisonFindings: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description Only this kind; FAULT: people whose answer could not be read */
                kind?: "ACCESS_ONLY_THERE" | "ACCESS_ONLY_HERE" | "OTHER_END" | "OTHER_PRODUCT" | "OTHER_STORE" | "PURCHASE_ONLY_THERE" | "PURCHASE_ONLY_HERE" | "OTHER_OWNER" | "OTHER_STATE" | "PERSON_UNKNOWN_THERE" | "PERSON_UNKNOWN_HERE" | "FAULT";
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ComparisonFinding"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    exportComparisonFindings: {
        parameters: {
            query?: {
                /** @description Only this kind; FAULT: people whose answer could not be read */
                kind?: "ACCESS_ONLY_THERE" | "ACCESS_ONLY_HERE" | "OTHER_END" | "OTHER_PRODUCT" | "OTHER_STORE" | "PURCHASE_ONLY_THERE" | "PURCHASE_ONLY_HERE" | "OTHER_OWNER" | "OTHER_STATE" | "PERSON_UNKNOWN_THERE" | "PERSON_UNKNOWN_HERE" | "FAULT";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table as CSV (RFC 4180), with a header row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getComparisonSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ComparisonSchedule"];
                    };
                };
            };
        };
    };
    setComparisonSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComparisonScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ComparisonSchedule"];
                    };
                };
            };
        };
    };
    deleteComparisonSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    getStoreCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreCredentials"];
                    };
                };
            };
        };
    };
    deleteStoreCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description The store */
                store: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    saveAndroidCredentials: {
        parameters: {
            query?: {
                /** @description false: the keys are not tried first */
                probe?: "true" | "false";
            };
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AndroidCredentialsInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreCredentials"];
                    };
                };
            };
        };
    };
    saveIosCredentials: {
        parameters: {
            query?: {
                /** @description false: the keys are not tried first */
                probe?: "true" | "false";
            };
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IosCredentialsInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreCredentials"];
                    };
                };
            };
        };
    };
    savePaymentCredentials: {
        parameters: {
            query?: {
                /** @description false: the keys are not tried first */
                probe?: "true" | "false";
            };
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentCredentialsInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreCredentials"];
                    };
                };
            };
        };
    };
    listDataRequests: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this status */
                status?: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED";
                /** @description sub_ id */
                subscriberId?: string;
                /** @description Only those of this type */
                type?: "EXPORT" | "ERASURE";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ListedDataRequest"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    downloadOperatorDataRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description dsr_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Of an export a zip with index.html and the data as JSON; of an erasure its certificate, a compact JWS (key: /.well-known/jwks.json). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listProjectEvents: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only events of this subscriber: a `sub_` id */
                subscriberId?: string;
                /** @description Comma list; a trailing * stands for any ending */
                types?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Event"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getProjectEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"];
                    };
                };
            };
        };
    };
    getProjectListenSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ListenSecret"];
                    };
                };
            };
        };
    };
    streamProjectEvents: {
        parameters: {
            query?: {
                /** @description A cursor of the feed or of an earlier stream */
                after?: string;
                /** @description Instead of after: begin with the events recorded at or after it */
                since?: string;
                /** @description Only events of this subscriber: a `sub_` id */
                subscriberId?: string;
                /** @description Comma list; a trailing * stands for any ending */
                types?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listExperiments: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Experiment"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExperimentRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    getExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    deleteExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExperimentChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    duplicateExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    pauseExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    getResultsOfExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ExperimentResults"];
                    };
                };
            };
        };
    };
    resumeExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    startExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    stopExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExperimentStopRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Experiment"];
                    };
                };
            };
        };
    };
    listDataExports: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["DataExport"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listExportSchedules: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ExportSchedule"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ExportSchedule"];
                    };
                };
            };
        };
    };
    deleteExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportScheduleChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ExportSchedule"];
                    };
                };
            };
        };
    };
    listFeatureFlags: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description prod, staging or development */
                env?: string;
                /** @description Key of the flag */
                key?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["FeatureFlag"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createFeatureFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeatureFlagRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeatureFlag"];
                    };
                };
            };
        };
    };
    getFeatureFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeatureFlag"];
                    };
                };
            };
        };
    };
    deleteFeatureFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateFeatureFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FeatureFlagChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeatureFlag"];
                    };
                };
            };
        };
    };
    toggleFeatureFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeatureFlagToggle"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeatureFlag"];
                    };
                };
            };
        };
    };
    getFeatureFlagByKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Key of the flag */
                key: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeatureFlagOfKey"];
                    };
                };
            };
        };
    };
    putFeatureFlagByKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Key of the flag */
                key: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeatureFlagOfKeyRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeatureFlagOfKey"];
                    };
                };
            };
        };
    };
    deleteFeatureFlagByKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Key of the flag */
                key: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ImportJob"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: {
                /** @description Shown in the list */
                fileName?: string;
            };
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Taken; there is no body. */
            202: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    commitImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Taken; there is no body. */
            202: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    dryRunImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Taken; there is no body. */
            202: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    updateImportMapping: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportMappingChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    addImportPart: {
        parameters: {
            query?: {
                /** @description Shown in the list */
                fileName?: string;
            };
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    createImportProducts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportProductsOrder"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportProducts"];
                    };
                };
            };
        };
    };
    getImportReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table as CSV (RFC 4180), with a header row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    resumeImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Taken; there is no body. */
            202: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Taken; there is no body. */
            202: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportJob"];
                    };
                };
            };
        };
    };
    redeliverIntegrationDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Integration"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationInput"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IntegrationChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    backfillIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationBackfill"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IntegrationBackfillResult"];
                    };
                };
            };
        };
    };
    listIntegrationDeliveries: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this status */
                status?: "PENDING" | "DELIVERING" | "SUCCEEDED" | "FAILED" | "DEAD" | "DISMISSED" | "SKIPPED";
                /** @description Only those of this subscriber: a `sub_` id */
                subscriberId?: string;
                /** @description Event type */
                type?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Delivery"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    testIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    validateIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationCheck"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IntegrationChecked"];
                    };
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Invitation"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                    };
                };
            };
        };
    };
    listLeaderboards: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Leaderboard"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createLeaderboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeaderboardRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Leaderboard"];
                    };
                };
            };
        };
    };
    deleteLeaderboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateLeaderboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LeaderboardChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Leaderboard"];
                    };
                };
            };
        };
    };
    listLeaderboardEntries: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description PRODUCTION when absent; balances and app events are PRODUCTION */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["LeaderboardEntry"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    leaveProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            left: true;
                        };
                    };
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Member"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description Id of the user (`usr_…`) */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description Id of the user (`usr_…`) */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    getProjectMetricActive: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricChurn: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricLtv: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricMrr: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricMrrMovement: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricProceeds: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricRefunds: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricRetention: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricRevenue: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricSummary: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getProjectMetricTrials: {
        parameters: {
            query?: {
                /** @description ISO 4217, of all money in the answer; the project’s reportCurrency by default. */
                currency?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description A date of the project’s time zone, or an ISO 8601 time; from then on. 30 days before `to` by default. */
                from?: string;
                /** @description The length of one cell */
                grain?: "day" | "week" | "month" | "total";
                /** @description What each value is divided by */
                groupBy?: "store" | "product" | "country" | "platform";
                /** @description Whose exchange rate converts: by default the last day in UTC that had ended, now or at knownAt. */
                rateDate?: string;
                /** @description A date or a time; until then, without it. Now by default. */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MetricSeries"];
                    };
                };
            };
        };
    };
    getNotificationDefaults: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotificationDefaults"];
                    };
                };
            };
        };
    };
    updateNotificationDefaults: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    channels?: {
                        email?: boolean;
                        inapp?: boolean;
                        push?: boolean;
                    };
                    kinds?: {
                        /** @description By mail only, at most once a day: how many rows the audit log has now, and the hash of the newest one. */
                        audit_head?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A nightly comparison with another service has found differences. */
                        comparison_differs?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A scheduled export of data could not be written, and was given up until its next day. */
                        export_failed?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description An import has failed, or the stores could not be asked about all of it. */
                        import_ended?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A connection to a provider was switched off, because nothing could be delivered to it for five days. */
                        integration_disabled?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A scheduled cancellation could not be carried out at the store. */
                        scheduled_action_failed?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                        /** @description A webhook endpoint was switched off, because nothing could be delivered to it for five days. */
                        webhook_disabled?: {
                            email?: boolean;
                            inapp?: boolean;
                            push?: boolean;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotificationDefaults"];
                    };
                };
            };
        };
    };
    listNotificationForwards: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["NotificationForward"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createNotificationForward: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationForwardRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NotificationForward"];
                    };
                };
            };
        };
    };
    deleteNotificationForward: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listOfferings: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["CatalogOffering"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createOffering: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferingRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CatalogOffering"];
                    };
                };
            };
        };
    };
    getOffering: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CatalogOffering"];
                    };
                };
            };
        };
    };
    deleteOffering: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateOffering: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OfferingChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CatalogOffering"];
                    };
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Overview"];
                    };
                };
            };
        };
    };
    streamOverview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    beginPaymentConnection: {
        parameters: {
            query: {
                /** @description Whether the account is connected for tests or for real sales */
                mode: "test" | "live";
                /** @description The page that the person comes back to */
                returnUrl?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                    };
                };
            };
        };
    };
    getPaymentConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentConnection"];
                    };
                };
            };
        };
    };
    deletePaymentConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listPlacements: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["PlacementOfProject"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createPlacement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlacementRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlacementOfProject"];
                    };
                };
            };
        };
    };
    getPlacementById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlacementOfProject"];
                    };
                };
            };
        };
    };
    deletePlacement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updatePlacement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PlacementChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlacementOfProject"];
                    };
                };
            };
        };
    };
    getPlacementMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlacementMetrics"];
                    };
                };
            };
        };
    };
    exportFallback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FallbackExport"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Product"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavedProduct"];
                    };
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Product"];
                    };
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProductChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavedProduct"];
                    };
                };
            };
        };
    };
    setCurrencyGrants: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CurrencyGrantsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            grants: components["schemas"]["CurrencyGrant"][];
                        };
                    };
                };
            };
        };
    };
    importProducts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductImportRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProductImport"];
                    };
                };
            };
        };
    };
    listWaitingProducts: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["WaitingProduct"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createWaitingProducts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MissingProductsOrder"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MissingProducts"];
                    };
                };
            };
        };
    };
    listWaitingPurchases: {
        parameters: {
            query: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description The store */
                store: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT";
                /** @description Its id at the store */
                storeProductId: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["WaitingPurchase"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getProjectFile: {
        parameters: {
            query?: {
                /** @description json has no comments; default yaml */
                format?: "yaml" | "json";
                /** @description Adds the ids, as comments */
                withIds?: "true" | "false";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectFile"];
                    };
                };
            };
        };
    };
    applyProjectFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectFileApplyRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppliedProjectFile"];
                    };
                };
            };
        };
    };
    getProjectFileDrift: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectFileDrift"];
                    };
                };
            };
        };
    };
    forgetProjectFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    planProjectFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectFilePlanRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectFilePlan"];
                    };
                };
            };
        };
    };
    getRelinkProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RelinkProgress"];
                    };
                };
            };
        };
    };
    relinkPurchases: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RelinkProgress"];
                    };
                };
            };
        };
    };
    listSavedQueries: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["SavedQuery"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createSavedQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedQueryRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavedQuery"];
                    };
                };
            };
        };
    };
    deleteSavedQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateSavedQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SavedQueryChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavedQuery"];
                    };
                };
            };
        };
    };
    executeQuery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QueryResult"];
                    };
                };
            };
        };
    };
    getQuerySchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QuerySchema"];
                    };
                };
            };
        };
    };
    getRefundShield: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefundShield"];
                    };
                };
            };
        };
    };
    putRefundShield: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundShieldRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefundShield"];
                    };
                };
            };
        };
    };
    getRefundShieldMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefundShieldMetrics"];
                    };
                };
            };
        };
    };
    listRefundShieldResponses: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this outcome */
                outcome?: "REFUND_APPROVED" | "REFUND_DECLINED" | "REFUND_REVERSED";
                /** @description Only those with this status */
                status?: "PENDING" | "SENT" | "FAILED" | "SKIPPED_DISABLED" | "SKIPPED_NOT_FOUND";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["RefundShieldResponse"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    searchProject: {
        parameters: {
            query: {
                /** @description A name, or the beginning of one */
                q: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["SearchHit"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listStoreEvents: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this status */
                status?: "RECEIVED" | "PROCESSING" | "PROCESSED" | "FAILED" | "IGNORED";
                /** @description The store */
                store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["StoreEvent"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getStoreEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreEventDetail"];
                    };
                };
            };
        };
    };
    reprocessStoreEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreEvent"];
                    };
                };
            };
        };
    };
    listSubscribers: {
        parameters: {
            query?: {
                /** @description Has this access now */
                access?: string;
                /** @description Belongs to this audience now */
                audienceId?: string;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only people on this platform */
                platform?: "ios" | "android" | "web";
                /** @description A name, or the beginning of one */
                q?: string;
                /** @description Only those with this status */
                status?: "TRIAL" | "ACTIVE" | "GRACE_PERIOD" | "BILLING_RETRY" | "PAUSED" | "EXPIRED" | "REFUNDED" | "REVOKED";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ListedSubscriber"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SubscriberWithAll"];
                    };
                };
            };
        };
    };
    updateSubscriberAttributes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Key to string, or null to delete */
                    attributes: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EditedSubscriber"];
                    };
                };
            };
        };
    };
    postCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Credits"];
                    };
                };
            };
        };
    };
    openOperatorDataRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id, label or device key */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenDataRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            request: components["schemas"]["ListedDataRequest"];
                        };
                    };
                };
            };
        };
    };
    getSubscriberEvaluation: {
        parameters: {
            query?: {
                /** @description prod (default), staging or development */
                env?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Evaluation"];
                    };
                };
            };
        };
    };
    explainSubscriberAccess: {
        parameters: {
            query?: {
                /** @description ISO 8601; now when absent */
                at?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Access identifier */
                access: string;
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessExplanation"];
                    };
                };
            };
        };
    };
    grantAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id, label or device key */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GrantRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GrantPreview"];
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PurchaseView"];
                    };
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["LedgerEntry"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listSubscriberEvents: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Event"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    transferSubscriberByOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorTransferRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorTransfer"];
                    };
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those of this product (`prd_…`) */
                productId?: string;
                /** @description ISO 8601; only those that will renew, from this instant on */
                renewsFrom?: string;
                /** @description ISO 8601; only those that will renew, before this instant */
                renewsTo?: string;
                /** @description Only those with this status */
                status?: "TRIAL" | "ACTIVE" | "GRACE_PERIOD" | "BILLING_RETRY" | "PAUSED" | "EXPIRED" | "REFUNDED" | "REVOKED";
                /** @description The store */
                store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["PurchaseView"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    refundPurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description Id of the purchase (`pur_…`) */
                purchaseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefundResult"] | components["schemas"]["RefundPreview"];
                    };
                };
            };
        };
    };
    scheduleCancellation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description Id of the purchase (`pur_…`) */
                purchaseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SchedulePreview"];
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScheduledAction"];
                    };
                };
            };
        };
    };
    cancelScheduledAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
                /** @description Id of the purchase (`pur_…`) */
                purchaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listBillingIssues: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those of this product (`prd_…`) */
                productId?: string;
                /** @description The store */
                store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["PurchaseView"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    exportSubscriptions: {
        parameters: {
            query?: {
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description Only those of this product (`prd_…`) */
                productId?: string;
                /** @description ISO 8601; only those that will renew, from this instant on */
                renewsFrom?: string;
                /** @description ISO 8601; only those that will renew, before this instant */
                renewsTo?: string;
                /** @description Only those with this status */
                status?: "TRIAL" | "ACTIVE" | "GRACE_PERIOD" | "BILLING_RETRY" | "PAUSED" | "EXPIRED" | "REFUNDED" | "REVOKED";
                /** @description The store */
                store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table as CSV (RFC 4180), with a header row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getSubscriptionFigures: {
        parameters: {
            query?: {
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SubscriptionFigures"];
                    };
                };
            };
        };
    };
    getRenewalCalendar: {
        parameters: {
            query?: {
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RenewalCalendar"];
                    };
                };
            };
        };
    };
    listScheduledActions: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this status */
                status?: "PENDING" | "EXECUTED" | "CANCELLED" | "FAILED";
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ScheduledAction"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listSupportAccess: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["SupportAccess"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    deleteSupportAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    getTestStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TestStoreState"];
                    };
                };
            };
        };
    };
    createTestPurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Device key of who buys */
                    device: string;
                    /** @description Identifier of the product */
                    product: string;
                    /** @enum {string} */
                    store?: "ios" | "android" | "payment";
                    trial?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TestPurchase"];
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description Only those of this kind */
                kind?: "INITIAL" | "TRIAL" | "TRIAL_CONVERSION" | "RENEWAL" | "REACTIVATION" | "PRODUCT_CHANGE" | "ADJUSTMENT" | "NON_RENEWING_PURCHASE" | "CREDIT_PURCHASE" | "REFUND" | "REFUND_REVERSAL" | "CHARGEBACK" | "GRANT";
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description true: only of products of the catalogue, and grants; false: only what was sold outside of the catalogue. Without it both. */
                listed?: "true" | "false";
                /** @description Only those of this product (`prd_…`) */
                productId?: string;
                /** @description Id of the purchase (`pur_…`) */
                purchaseId?: string;
                /** @description The store */
                store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
                /** @description Only those of this subscriber: a `sub_` id */
                subscriberId?: string;
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["TransactionItem"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    refundTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RefundResult"] | components["schemas"]["RefundPreview"];
                    };
                };
            };
        };
    };
    exportTransactions: {
        parameters: {
            query?: {
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description Only those of this kind */
                kind?: "INITIAL" | "TRIAL" | "TRIAL_CONVERSION" | "RENEWAL" | "REACTIVATION" | "PRODUCT_CHANGE" | "ADJUSTMENT" | "NON_RENEWING_PURCHASE" | "CREDIT_PURCHASE" | "REFUND" | "REFUND_REVERSAL" | "CHARGEBACK" | "GRANT";
                /** @description true: only of products of the catalogue, and grants; false: only what was sold outside of the catalogue. Without it both. */
                listed?: "true" | "false";
                /** @description Only those of this product (`prd_…`) */
                productId?: string;
                /** @description Id of the purchase (`pur_…`) */
                purchaseId?: string;
                /** @description The store */
                store?: "IOS_STORE" | "ANDROID_STORE" | "PAYMENT" | "MANUAL";
                /** @description Only those of this subscriber: a `sub_` id */
                subscriberId?: string;
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table as CSV (RFC 4180), with a header row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getStoreBreakdown: {
        parameters: {
            query?: {
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoreBreakdown"];
                    };
                };
            };
        };
    };
    syncTransactions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SyncRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            queued: true;
                        };
                    };
                };
            };
        };
    };
    getTransactionVolume: {
        parameters: {
            query?: {
                /** @description `PRODUCTION` or `SANDBOX`: only what belongs to it */
                environment?: "PRODUCTION" | "SANDBOX";
                /** @description ISO 8601; from this instant on */
                from?: string;
                /** @description ISO 8601; before this instant */
                to?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TransactionVolume"];
                    };
                };
            };
        };
    };
    transferProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnershipTransfer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            ownerId: string;
                        };
                    };
                };
            };
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["TransferItem"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    undoTransferByOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description sub_ id */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TransferUndo"];
                    };
                };
            };
        };
    };
    listVirtualCurrencies: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["VirtualCurrency"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createVirtualCurrency: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VirtualCurrencyRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VirtualCurrency"];
                    };
                };
            };
        };
    };
    archiveVirtualCurrency: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateVirtualCurrency: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VirtualCurrencyChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VirtualCurrency"];
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description Only deliveries to this webhook endpoint (`whe_…`) */
                endpointId?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
                /** @description Only those with this status */
                status?: "PENDING" | "DELIVERING" | "SUCCEEDED" | "FAILED" | "DEAD" | "DISMISSED" | "SKIPPED";
                /** @description Only those of this subscriber: a `sub_` id */
                subscriberId?: string;
                /** @description Event type */
                type?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Delivery"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliveryDetail"];
                    };
                };
            };
        };
    };
    dismissWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    endpointId: string;
                    /** @description ISO 8601 */
                    from: string;
                    /** @description ISO 8601 */
                    to: string;
                    /** @description Only these of the types that the endpoint gets, such as purchase.renewed or purchase.* */
                    types?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Replay"];
                    };
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["WebhookEndpoint"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedWebhookEndpoint"];
                    };
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision that the object must still have, such as `"3"`; without it the last write wins. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RotatedWebhookSecret"];
                    };
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
                /** @description Id of the project (`prj_…`) */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    listPushDevices: {
        parameters: {
            query?: {
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description The largest number of items in the answer */
                limit?: number;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["PushDevice"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createPushDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    platform: "ios" | "android" | "web";
                    /** @description From the push service of the device */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PushDevice"];
                    };
                };
            };
        };
    };
    deletePushDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Id of the object, as its list gives it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OfferedInvitation"];
                    };
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The token of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["IdempotentReplay"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OfferedInvitation"];
                    };
                };
            };
        };
    };
    showUnsubscribe: {
        parameters: {
            query?: {
                /** @description From the link of the mail */
                token?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: {
                /** @description From the link of the mail */
                token?: string;
            };
            header?: {
                /** @description Names the request in answer and log; another form is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @enum {boolean} */
                            unsubscribed: true;
                        };
                    };
                };
            };
        };
    };
}
