CREATE TABLE "purchase_aliases" (
	"project_id" text NOT NULL,
	"store" text NOT NULL,
	"alias" text collate "C" NOT NULL,
	"purchase_id" text NOT NULL,
	CONSTRAINT "purchase_aliases_project_id_store_alias_pk" PRIMARY KEY("project_id","store","alias")
);
--> statement-breakpoint
CREATE INDEX "purchase_aliases_purchase" ON "purchase_aliases" USING btree ("purchase_id");