-- The keys of the test stores were saved in clear, one set for all projects. They are trusted no more: each project makes
-- sealed ones of its own when they are next needed.
DELETE FROM simulator_keys;
