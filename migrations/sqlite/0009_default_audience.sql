-- Every project owns the audience of everybody. Its id is made of the project's, so that a second run makes the same one.
INSERT INTO audiences (id, project_id, name, description, rules, is_default, created_at, updated_at)
SELECT 'aud_' || substr(id, 5), id, 'All users', NULL, '{}', 1, updated_at, updated_at FROM projects
WHERE NOT EXISTS (SELECT 1 FROM audiences WHERE audiences.project_id = projects.id AND audiences.is_default);
