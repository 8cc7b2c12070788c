CREATE TABLE "former_sdk_devices" (
	"project_id" text NOT NULL,
	"device_hash" text NOT NULL,
	"platform" text NOT NULL,
	"flavor" text NOT NULL,
	"version" text NOT NULL,
	"app_version" text NOT NULL,
	"day" bigint NOT NULL,
	CONSTRAINT "former_sdk_devices_project_id_device_hash_platform_pk" PRIMARY KEY("project_id","device_hash","platform")
);
--> statement-breakpoint
CREATE INDEX "former_sdk_devices_day" ON "former_sdk_devices" USING btree ("day");