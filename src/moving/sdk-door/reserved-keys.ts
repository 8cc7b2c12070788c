/** The keys that SDKs of the former vendor send by themselves, besides those that every project has. */
export const SDK_RESERVED: ReadonlySet<string> = new Set(
  `$idfa $idfv $ip $gpsAdId $androidId $amazonAdId $attConsentStatus $deviceVersion $adServicesToken
  $adjustId $airbridgeDeviceId $airshipChannelId $amplitudeDeviceId $amplitudeUserId $appsFlyerSharingFilter
  $appsflyerId $appstackId $appsflyerSharingFilter $branchId $brazeAliasLabel $brazeAliasName $cleverTapId
  $customerioId $fbAnonId $firebaseAppInstanceId $iterableCampaignId $iterableTemplateId $iterableUserId
  $kochavaDeviceId $mixpanelDistinctId $mparticleId $onesignalId $onesignalUserId $posthogUserId $postHogUserId
  $segmentId $singularDeviceId $solarEngineAccountId $solarEngineDistinctId $solarEngineVisitorId $telemetryDeckAppId
  $telemetryDeckUserId $tenjinId $tenjinAnalyticsInstallationId $clevertapId
  $mediaSource $campaign $adGroup $ad $keyword $creative $preferredLocale $appleRefundHandlingPreference`.split(/\s+/),
)
